"""The rate limits in PostgreSQL keep the contract of `Buckets`."""

from tests.batch.test_buckets import *  # noqa: F403
