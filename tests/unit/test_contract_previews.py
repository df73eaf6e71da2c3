"""What a check finds in the previews of a plugin's tools."""

from __future__ import annotations

import pytest

from finclaw_cli.sdk import tool
from finclaw_cli.testing.contract import Problem, check_plugin
from tests.unit.test_contract import codes, plugin


async def raises(n: int) -> str:
    raise ValueError("no price")


async def is_empty(n: int) -> str:
    return ""


async def shows(n: int) -> str:
    return "Buy 1 ACME"


def found(preview: object, *examples: dict[str, object]) -> list[Problem]:
    @tool(group="finance", transactional=True, preview=preview, examples=examples)
    async def buy(n: int) -> str:
        """Buy shares.

        Args:
            n: how many.
        """
        return "bought"

    return check_plugin(plugin(buy))


def test_a_preview_that_raises_is_an_error():
    (problem,) = (problem for problem in found(raises, {"n": 1}) if problem.code == "preview")
    assert problem.severity == "error"
    assert 'the preview of {"n":1} raises ValueError: no price' in problem.message


def test_a_preview_that_shows_nothing_is_an_error():
    (problem,) = (problem for problem in found(is_empty, {"n": 1}) if problem.code == "preview")
    assert problem.message == 'the preview of {"n":1} is empty'


@pytest.mark.parametrize("examples", [({"n": 1},), ({"n": 1}, {"n": 2})], ids=["one example", "two"])
def test_a_preview_of_each_example_is_made(examples: tuple[dict[str, object], ...]):
    assert codes(found(raises, *examples)).count("preview") == len(examples)
    assert "preview" not in codes(found(shows, *examples))
