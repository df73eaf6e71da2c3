"""What was judged once is not judged again, and what is remembered stays little."""

from __future__ import annotations

from finclaw_cli.masking.memo import Memo


def test_a_verdict_is_remembered() -> None:
    asked: list[str] = []
    memo = Memo[str, int](lambda word: asked.append(word) or len(word))
    assert [memo["one"], memo["three"], memo["one"]] == [3, 5, 3]
    assert asked == ["one", "three"]


def test_it_never_holds_much() -> None:
    memo = Memo[int, int](lambda number: number + 1)
    assert all(memo[number] == number + 1 for number in range(20_000))
    assert len(memo) <= 4096
