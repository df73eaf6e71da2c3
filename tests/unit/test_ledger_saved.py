"""What caches saved is kept beside what was spent, may be less than nothing, and is added up exactly."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finclaw_cli.usage.connection import reading
from finclaw_cli.usage.entries import RequestEntry
from finclaw_cli.usage.groups import Selection
from finclaw_cli.usage.names import last_named, named
from finclaw_cli.usage.periods import labels_between
from finclaw_cli.usage.report import RequestDimension, Unpriced, unpriced
from finclaw_cli.usage.store import Ledger
from finclaw_cli.usage.sums import RequestSums, ToolSums
from tests.examples import MANY
from tests.unit.test_ledger import AT, CALL, ONE, ledger, path, total
from tests.unit.test_ledger_report import GROUPINGS, LISTS, exact, reported, summed

__all__ = ["ledger", "path"]

PAIRS = st.tuples(st.decimals(0, 4 * 10**6, places=12), st.decimals(0, 4 * 10**6, places=12))


@settings(max_examples=MANY)
@given(st.lists(PAIRS, min_size=1, max_size=40))
def test_savings_and_losses_are_added_up_exactly(pairs: list[tuple[Decimal, Decimal]]):
    entries = [
        replace(ONE, turn=turn, uncached_usd=uncached, cost_usd=cost) for turn, (uncached, cost) in enumerate(pairs)
    ]
    assert reported(entries, []).total.saved_usd == exact([uncached - cost for uncached, cost in pairs])


def test_a_cache_that_was_written_and_not_read_saves_less_than_nothing(ledger: Ledger, path: Path):
    ledger.record(replace(ONE, uncached_usd=Decimal("0.01"), cost_usd=Decimal("0.0125")))
    assert total(path).saved_usd == Decimal("-0.0025")


def test_losses_go_on_where_the_integers_of_sqlite_end(ledger: Ledger, path: Path):
    dear = replace(ONE, uncached_usd=Decimal(0), cost_usd=Decimal(4_000_000))
    ledger.record(*(replace(dear, turn=turn) for turn in range(5)))
    assert total(path).saved_usd == -20_000_000


@pytest.mark.parametrize("changed", [{"uncached_usd": None}, {"cost_usd": None}], ids=["uncached", "cost"])
def test_what_is_unknown_on_either_side_leaves_what_was_saved_unknown(
    ledger: Ledger, path: Path, changed: dict[str, None]
):
    ledger.record(replace(replace(ONE, uncached_usd=Decimal(1)), **changed))
    assert total(path).saved_usd is None


def test_nothing_saved_is_known_to_be_nothing(ledger: Ledger, path: Path):
    ledger.record(replace(ONE, uncached_usd=ONE.cost_usd))
    assert total(path).saved_usd == 0


def test_thirds_are_rounded_to_a_millionth_of_a_millionth(ledger: Ledger, path: Path):
    ledger.record(replace(ONE, uncached_usd=Decimal("0.041666666666666664"), cost_usd=Decimal(0)))
    assert str(total(path).saved_usd) == "0.041666666667"


def test_a_saving_beyond_all_belief_spoils_no_sum(ledger: Ledger, path: Path):
    ledger.record(
        replace(ONE, uncached_usd=Decimal(2), cost_usd=Decimal(1)),
        replace(ONE, turn=2, uncached_usd=Decimal(10**11), cost_usd=Decimal(1)),
    )
    assert total(path).saved_usd == 1


def test_what_is_no_amount_can_be_no_cost_without_a_cache():
    with pytest.raises(ValueError, match="not an amount"):
        replace(ONE, uncached_usd=Decimal(-1))


@settings(max_examples=MANY)
@given(LISTS, GROUPINGS, st.data())
def test_a_report_folded_to_fewer_groups_is_the_report_by_these(
    entries: list[RequestEntry], by: list[RequestDimension], data: st.DataObject
):
    fewer = data.draw(st.lists(st.sampled_from(by), unique=True) if by else st.just([]))
    assert reported(entries, by).folded(fewer) == reported(entries, fewer)


@given(LISTS)
def test_sums_can_be_added_in_any_order(entries: list[RequestEntry]):
    parts = [summed([entry]) for entry in entries]
    assert sum(parts, RequestSums()) == sum(reversed(parts), RequestSums()) == summed(entries)


def test_the_sums_of_calls_of_tools_are_added():
    one = ToolSums(calls=5, not_completed=2, duration_ms=30, longest_ms=20)
    other = ToolSums(calls=7, not_completed=3, duration_ms=40, longest_ms=10)
    assert one + other == ToolSums(calls=12, not_completed=5, duration_ms=70, longest_ms=20)


def test_models_without_a_price_are_named_with_their_tokens_and_the_most_first(ledger: Ledger, path: Path):
    bare = replace(ONE, cost_usd=None)
    ledger.record(
        ONE,
        replace(bare, turn=2, model="small"),
        *(replace(bare, turn=turn, model="large", provider="local") for turn in (3, 4)),
        replace(bare, turn=5, model="silent", usage=None),
        replace(bare, turn=6, model="elsewhere", session_id="other"),
    )
    with reading(path) as connection:
        found = unpriced(connection, Selection(since=AT, session_id="talk"))
        assert found == (Unpriced("local", "large", 200), Unpriced("anthropic", "small", 100))
        assert unpriced(connection, Selection(until=AT)) == ()


class TestNames:
    def test_a_beginning_finds_all_that_begin_so(self, ledger: Ledger, path: Path):
        ledger.record(ONE, replace(ONE, turn=2, session_id="tall"), replace(CALL, session_id="tale"))
        with reading(path) as connection:
            assert named(connection, "session", "ta", 9) == ["tale", "talk", "tall"]
            assert named(connection, "session", "ta", 2) == ["tale", "talk"]
            assert named(connection, "session", "talk", 9) == ["talk"]
            assert named(connection, "run", "run_", 9) == ["run_1"]

    def test_a_whole_name_is_that_one_alone(self, ledger: Ledger, path: Path):
        ledger.record(ONE, replace(ONE, turn=2, session_id="talk-2"))
        with reading(path) as connection:
            assert named(connection, "session", "talk", 9) == ["talk"]

    @pytest.mark.parametrize("name", ["%", "t_lk", "TALK", "talk2", "*", "' OR 1"])
    def test_nothing_but_letters_is_meant_by_a_name(self, ledger: Ledger, path: Path, name: str):
        ledger.record(ONE)
        with reading(path) as connection:
            assert named(connection, "session", name, 9) == []

    def test_the_last_ones_come_first(self, ledger: Ledger, path: Path):
        late = AT.replace(year=2027)
        ledger.record(ONE, replace(ONE, turn=2, session_id="a", at=late), replace(ONE, turn=3, session_id="b"))
        with reading(path) as connection:
            assert last_named(connection, "session", 1) == ["a"]


@pytest.mark.parametrize(
    ("unit", "first", "last", "labels"),
    [
        ("day", "2026-02-27", "2026-03-01", ["2026-02-27", "2026-02-28", "2026-03-01"]),
        ("week", "2026-W52", "2027-W01", ["2026-W52", "2026-W53", "2027-W01"]),
        ("month", "2026-12", "2027-02", ["2026-12", "2027-01", "2027-02"]),
        ("day", "2026-02-27", "2026-02-27", ["2026-02-27"]),
    ],
)
def test_units_follow_each_other_by_name(unit: str, first: str, last: str, labels: list[str]):
    assert list(labels_between(unit, first, last)) == labels  # type: ignore[arg-type]
