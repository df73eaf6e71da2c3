"""What is said below a table of costs: what its figures leave out, and nothing where they leave nothing out."""

from __future__ import annotations

from decimal import Decimal

import pytest

from finclaw_cli.cli.cost.notes import notes
from finclaw_cli.usage.report import Unpriced
from finclaw_cli.usage.sums import RequestSums


def said(*unpriced: Unpriced, requests: int = 12, saved: str | None = None, **counts: int) -> list[str]:
    sums = RequestSums(requests=requests, saved_usd=None if saved is None else Decimal(saved), **counts)
    return list(notes(sums, unpriced))


def test_where_all_is_known_nothing_is_said():
    assert said(saved="0") == said() == []


def test_tokens_without_a_price_are_named_with_their_models_and_what_to_do():
    (line,) = said(Unpriced("local", "llama", 12_345), unpriced=2, unpriced_tokens=12_345)
    assert line == (
        "12,345 tokens of 2 requests have no price and are in no cost: local:llama. Set one: `finclaw models set`."
    )


def test_only_some_of_many_models_are_named():
    models = [Unpriced("local", f"m{number}", 1) for number in range(5)]
    (line,) = said(*models, unpriced=5, unpriced_tokens=5)
    assert "local:m0, local:m1, local:m2 and 2 more." in line


def test_a_model_cannot_write_lines_of_its_own():
    (line,) = said(Unpriced("local", "a\x1b[2J\nFree!", 1), unpriced=1, unpriced_tokens=1)
    assert "local:a Free!" in line


@pytest.mark.parametrize(
    ("counts", "line"),
    [
        ({"failed": 2}, "Of 12 requests, 2 failed."),
        ({"interrupted": 1}, "Of 12 requests, 1 was interrupted."),
        ({"failed": 2, "retries": 3}, "Of 12 requests, 2 failed and 3 were made again after a failure."),
        (
            {"failed": 1, "interrupted": 2, "retries": 1},
            "Of 12 requests, 1 failed, 2 were interrupted and 1 was made again after a failure.",
        ),
        ({"estimated": 1}, "The tokens of 1 request are estimated: the provider did not report all of them."),
        ({"unreported": 2}, "The usage of 2 requests is unknown: in no sum of tokens and no cost."),
    ],
)
def test_each_thing_that_applies_has_a_line(counts: dict[str, int], line: str):
    assert said(**counts) == [line]


@pytest.mark.parametrize(
    ("saved", "line"),
    [
        ("1.25", "The cache saved 1.25 USD."),
        ("0.0000000001", "The cache saved <0.000001 USD."),
        ("-0.0025", "The cache cost 0.0025 USD more than it saved."),
    ],
)
def test_what_caches_saved_is_said_and_what_they_lost_too(saved: str, line: str):
    assert said(saved=saved) == [line]
