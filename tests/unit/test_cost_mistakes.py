"""The errors of `finclaw cost` for names."""

from __future__ import annotations

import pytest

from finclaw_cli.listings.cost.options import several_names, unknown_name


@pytest.mark.parametrize(
    ("names", "shown"),
    [(["ta", "tb"], "ta, tb"), (["ta", "tb", "tc"], "ta, tb, tc"), (["ta", "tb", "tc", "td"], "ta, tb, tc, …")],
    ids=["fewer", "as many as are shown", "more"],
)
def test_an_ambiguous_beginning_names_the_first_and_that_there_are_more(names: list[str], shown: str) -> None:
    error = several_names("session", "t", names, 3)
    assert error.message == f"'t' begins the names of several sessions: {shown}"


def test_an_unknown_name_comes_with_those_that_are_near() -> None:
    error = unknown_name("session", "tolk", ["talk", "trade"])
    assert (error.message, error.code) == (
        "nothing was spent in a session 'tolk'; did you mean talk?",
        "unknown_session",
    )
