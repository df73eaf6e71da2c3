"""The queue in PostgreSQL keeps the contract of a `BatchQueue`, with the same tests as the one in SQLite."""

from tests.batch.test_queue import *  # noqa: F403
from tests.batch.test_queue_budget import *  # noqa: F403
from tests.batch.test_queue_faults import *  # noqa: F403
from tests.batch.test_round_store import *  # noqa: F403
