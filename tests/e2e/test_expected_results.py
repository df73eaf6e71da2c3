"""`finclaw tools call --expect`: a condition on a result, for CI."""

from __future__ import annotations

import json

import pytest

from finclaw_cli.cli.tools.expectation import expectation
from finclaw_cli.core.errors import UsageError
from tests.e2e.harness import Finclaw

PRICE = ("tools", "call", "price", "symbol=ACME")
MET = ["close >= 42", "close == 42.1", "close < 1e3", "currency == USD", "currency == 'USD'", "symbol != ZZZ"]
FAILED = [
    ("close > 42.10", "close is 42.10, expected > 42.10"),
    ("close == 42", "close is 42.10, expected == 42"),
    ("currency != USD", "currency is USD, expected != USD"),
]
REFUSED = [
    ("low > 1", "the result has no low"),
    ("close.0 > 1", "the result has no close.0"),
    ("--1 > 1", "the result has no --1"),
    ("currency > 1", "currency is USD"),
    ("close > much", "much is given"),
    ("close == nan", "nan is no value of a result"),
    ("close != -Infinity", "-Infinity is no value of a result"),
]


@pytest.mark.parametrize("condition", MET)
def test_a_condition_that_is_met_changes_nothing(finclaw: Finclaw, condition: str) -> None:
    ran = finclaw(*PRICE, "--expect", condition)
    assert (ran.code, ran.stderr, json.loads(ran.stdout)["close"]) == (0, "", "42.10")


@pytest.mark.parametrize(("condition", "named"), FAILED)
def test_a_condition_that_is_not_met_is_named_after_the_result(finclaw: Finclaw, condition: str, named: str) -> None:
    ran = finclaw(*PRICE, "--expect", condition)
    assert (ran.code, ran.stderr, json.loads(ran.stdout)["close"]) == (12, f"finclaw: {named}\n", "42.10")


@pytest.mark.parametrize(("condition", "named"), REFUSED)
def test_a_condition_on_what_is_not_there_or_no_number_is_refused(finclaw: Finclaw, condition: str, named: str) -> None:
    ran = finclaw(*PRICE, "--expect", condition)
    assert ran.code == 2
    assert named in ran.stderr


def test_each_condition_that_is_not_met_is_named(finclaw: Finclaw) -> None:
    ran = finclaw(*PRICE, "--expect", "close > 50", "--expect", "close > 1", "--expect", "symbol == X")
    assert (ran.code, len(ran.stderr.splitlines())) == (12, 2)


def test_what_is_no_condition_is_refused_before_the_call(finclaw: Finclaw) -> None:
    ran = finclaw(*PRICE, "--expect", "close")
    assert (ran.code, ran.stdout) == (2, b"")
    assert "'close' is not a condition" in ran.stderr


@pytest.mark.parametrize("condition", ["rows == 5", "rows != x", "rows > 1", "rows.0 == AAA"])
def test_a_list_or_an_object_is_compared_with_nothing_but_null(condition: str) -> None:
    with pytest.raises(UsageError, match=r"rows(\.0)? is (a table|an object), not one value"):
        expectation(condition).failure({"data": {"rows": [{"symbol": "AAA"}]}})
    assert expectation("rows != null").failure({"data": {"rows": []}}) is None
