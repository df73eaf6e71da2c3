"""The end of a run whose stdout cannot be written."""

from __future__ import annotations

import errno

import pytest

from finclaw_cli.cli.run.outputs import failed_output


@pytest.mark.parametrize(
    ("number", "exit_code", "code"),
    [
        (errno.EPIPE, 141, "stdout_closed"),
        (errno.ENOSPC, 1, "stdout_failed"),
        (errno.EDQUOT, 1, "stdout_failed"),
        (errno.EIO, 129, "hung_up"),
    ],
    ids=["a reader that went away", "a full disk", "a quota", "a terminal that hung up"],
)
def test_the_reason_decides_the_exit_code(number: int, exit_code: int, code: str) -> None:
    ended = failed_output(OSError(number, "why"))
    assert (ended.exit_code, ended.code) == (exit_code, code)


def test_a_full_disk_is_named() -> None:
    assert failed_output(OSError(errno.ENOSPC, "No space left on device")).message.endswith("No space left on device")
