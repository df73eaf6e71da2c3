"""Verdicts of one text, remembered: what repeats itself is judged once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

Key = TypeVar("Key")
Verdict = TypeVar("Verdict")
_MOST = 4096


class Memo(dict[Key, Verdict], Generic[Key, Verdict]):
    """A dictionary that judges what it does not have. It forgets everything once that has become a lot."""

    def __init__(self, judge: Callable[[Key], Verdict]) -> None:
        super().__init__()
        self._judge = judge

    def __missing__(self, key: Key) -> Verdict:
        if len(self) >= _MOST:
            self.clear()
        verdict = self[key] = self._judge(key)
        return verdict
