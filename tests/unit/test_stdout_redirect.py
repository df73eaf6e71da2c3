"""Descriptor 1 leads to stderr while plugins are imported, also where threads import several at a time."""

from __future__ import annotations

import os

import pytest

from finclaw_cli.plugin_host.stdout_redirect import stdout_to_stderr


def test_stdout_is_restored_after_imports_that_overlap(capfd: pytest.CaptureFixture[str]):
    first, second = stdout_to_stderr(), stdout_to_stderr()
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    os.write(1, b"imported ")
    second.__exit__(None, None, None)
    os.write(1, b"answered")
    assert capfd.readouterr() == ("answered", "imported ")
