"""Hooks that give sections of the prompt: what becomes of one that does not answer."""

from __future__ import annotations

import threading
import time

import pytest

from finclaw_cli.core.errors import UsageError
from finclaw_cli.plugin_host.plugin_sections import _in_time


def test_an_answer_is_given_on():
    assert _in_time(lambda: 7, 5) == 7


@pytest.mark.parametrize("error", [ValueError("a"), BaseException("b"), SystemExit(3)])
def test_what_is_raised_is_raised_here(error: BaseException):
    def fail() -> None:
        raise error

    with pytest.raises(type(error)) as raised:
        _in_time(fail, 5)
    assert raised.value is error


def test_one_that_is_no_longer_waited_for_ends_before_it_says_anything_more():
    said: list[str] = []
    threads: list[threading.Thread] = []

    def hang() -> None:
        threads.append(threading.current_thread())
        time.sleep(0.3)
        said.append("late")

    with pytest.raises(UsageError, match=r"there was no answer within 0\.05 s"):
        _in_time(hang, 0.05)
    threads[0].join(10)
    assert (threads[0].daemon, threads[0].is_alive(), said) == (True, False, [])
