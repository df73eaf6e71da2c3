"""Budgets: what is set aside counts until it is settled, or until whoever set it aside is gone."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import datetime, timedelta
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finclaw_cli.core.budget import AmountRange, BudgetStatus, Reservation
from finclaw_cli.usage.processes import Process
from finclaw_cli.usage.reserve import LONGEST, Limit, Waiting, release, reserve
from finclaw_cli.usage.store import Ledger
from finclaw_cli.usage.waiting import RENEWED_WITHIN
from tests.unit.test_ledger import AT, ONE

DAILY = Limit(scope="daily", amount=Decimal("0.50"), since=AT - timedelta(hours=12))
MONTHLY = Limit(scope="monthly", amount=Decimal("0.80"), since=AT - timedelta(days=20))


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    opened = Ledger(tmp_path / "ledger.sqlite")
    yield opened
    opened.close()


def exactly(amount: str | int | Decimal) -> AmountRange:
    return AmountRange(least_usd=Decimal(amount), enough_usd=Decimal(amount), most_usd=Decimal(amount))


def between(least: str, enough: str, most: str) -> AmountRange:
    return AmountRange(least_usd=Decimal(least), enough_usd=Decimal(enough), most_usd=Decimal(most))


def aside(ledger: Ledger, amount: str, *limits: Limit) -> Reservation:
    reservation = reserve(ledger, exactly(amount), limits or (DAILY,), AT)
    assert isinstance(reservation, Reservation)
    return reservation


def test_what_fits_is_set_aside_to_the_last_cent(ledger: Ledger):
    aside(ledger, "0.3")
    aside(ledger, "0.2")


def refused(limit: Limit, spent: str, reserved: str, place: int | None = None) -> Waiting:
    standing = BudgetStatus(
        scope=limit.scope, limit_usd=limit.amount, spent_usd=Decimal(spent), reserved_usd=Decimal(reserved)
    )
    return Waiting(standing=standing, place=place)


def test_what_is_set_aside_counts_for_the_others(ledger: Ledger):
    aside(ledger, "0.3")
    assert reserve(ledger, exactly("0.21"), (DAILY,), AT) == refused(DAILY, "0", "0.3", place=1)


def test_what_was_spent_counts_too(ledger: Ledger):
    ledger.record(replace(ONE, cost_usd=Decimal("0.4")))
    assert reserve(ledger, exactly("0.11"), (DAILY,), AT) == refused(DAILY, "0.4", "0")


def test_the_limit_that_is_reached_is_named(ledger: Ledger):
    ledger.record(replace(ONE, cost_usd=Decimal("0.7"), at=AT - timedelta(days=2)))
    assert reserve(ledger, exactly("0.2"), (DAILY, MONTHLY), AT) == refused(MONTHLY, "0.7", "0")


def test_how_each_limit_stood_is_told_with_what_was_set_aside(ledger: Ledger):
    ledger.record(replace(ONE, cost_usd=Decimal("0.1")))
    first = aside(ledger, "0.2", DAILY, MONTHLY)
    assert [standing.left_usd for standing in first.statuses] == [Decimal("0.4"), Decimal("0.7")]
    assert aside(ledger, "0.2").statuses[0].left_usd == Decimal("0.2")


def test_what_was_given_back_can_be_set_aside_again(ledger: Ledger):
    release(ledger, aside(ledger, "0.5"))
    aside(ledger, "0.5")


def test_as_much_is_set_aside_as_is_wanted_and_left(ledger: Ledger):
    first = reserve(ledger, between("0.1", "0.2", "0.3"), (DAILY,), AT)
    second = reserve(ledger, between("0.1", "0.2", "0.3"), (DAILY,), AT)
    assert [money.amount_usd for money in (first, second) if isinstance(money, Reservation)] == [
        Decimal("0.3"),
        Decimal("0.2"),
    ]


def test_less_than_enough_is_not_set_aside_while_others_hold_the_rest(ledger: Ledger):
    held = aside(ledger, "0.4")
    answer = reserve(ledger, between("0.1", "0.2", "0.3"), (DAILY,), AT)
    assert isinstance(answer, Waiting)
    release(ledger, held)
    assert isinstance(reserve(ledger, between("0.1", "0.2", "0.3"), (DAILY,), AT, place=answer.place), Reservation)


def test_less_than_enough_is_set_aside_where_the_rest_is_spent(ledger: Ledger):
    ledger.record(replace(ONE, cost_usd=Decimal("0.35")))
    money = reserve(ledger, between("0.1", "0.2", "0.3"), (DAILY,), AT)
    assert isinstance(money, Reservation)
    assert money.amount_usd == Decimal("0.15")


def test_less_than_the_least_is_never_set_aside(ledger: Ledger):
    ledger.record(replace(ONE, cost_usd=Decimal("0.41")))
    assert reserve(ledger, between("0.1", "0.2", "0.3"), (DAILY,), AT) == refused(DAILY, "0.41", "0")


def waits(ledger: Ledger, amount: str, now: datetime = AT, place: int | None = None) -> int:
    answer = reserve(ledger, exactly(amount), (DAILY,), now, place=place)
    assert isinstance(answer, Waiting)
    assert answer.place is not None
    return answer.place


def test_a_request_that_has_waited_for_longer_comes_first(ledger: Ledger):
    held = aside(ledger, "0.4")
    first = waits(ledger, "0.2")
    second = waits(ledger, "0.2")
    release(ledger, held)
    assert waits(ledger, "0.2", place=second) == second
    assert waits(ledger, "0.2") not in {first, second}
    assert isinstance(reserve(ledger, exactly("0.2"), (DAILY,), AT, place=first), Reservation)
    assert isinstance(reserve(ledger, exactly("0.2"), (DAILY,), AT, place=second), Reservation)


def test_a_request_that_does_not_renew_its_place_delays_no_other(ledger: Ledger):
    held = aside(ledger, "0.4")
    waits(ledger, "0.2")
    release(ledger, held)
    assert isinstance(reserve(ledger, exactly("0.2"), (DAILY,), AT + RENEWED_WITHIN), Reservation)


def test_a_request_that_can_never_be_paid_delays_no_other(ledger: Ledger):
    assert reserve(ledger, exactly("0.6"), (DAILY,), AT) == refused(DAILY, "0", "0")
    aside(ledger, "0.5")


def test_a_ledger_of_an_earlier_version_has_a_queue_as_well(ledger: Ledger):
    with ledger.transaction() as connection:
        connection.execute("DROP TABLE waiting")
    aside(ledger, "0.5")


def move_elsewhere(ledger: Ledger) -> None:
    """Let all that is set aside be that of a process on another machine."""
    with ledger.transaction() as connection:
        connection.execute("UPDATE reservations SET place = 'elsewhere'")


def test_what_another_machine_has_set_aside_is_free_after_the_longest_time(ledger: Ledger):
    aside(ledger, "0.5")
    move_elsewhere(ledger)
    waits(ledger, "0.5", AT + LONGEST - 2 * RENEWED_WITHIN)
    assert isinstance(reserve(ledger, exactly("0.5"), (DAILY,), AT + LONGEST), Reservation)


def test_giving_back_late_frees_nothing_of_anybody_else(ledger: Ledger):
    late = aside(ledger, "0.5")
    move_elsewhere(ledger)
    reserve(ledger, exactly("0.5"), (DAILY,), AT + LONGEST)
    release(ledger, late)
    assert isinstance(reserve(ledger, exactly("0.5"), (DAILY,), AT + LONGEST), Waiting)


@pytest.mark.skipif(not Process.this().started, reason="the system does not say when a process began")
def test_what_a_process_has_set_aside_that_still_runs_is_never_free(ledger: Ledger):
    aside(ledger, "0.5")
    assert isinstance(reserve(ledger, exactly("0.5"), (DAILY,), AT + 100 * LONGEST), Waiting)


@pytest.mark.parametrize("amount", ["-1", "NaN", "Infinity"])
def test_what_is_no_amount_is_not_set_aside(ledger: Ledger, amount: str):
    with pytest.raises(ValueError, match="not amounts"):
        reserve(ledger, exactly(amount), (DAILY,), AT)


RESERVING = """
import sys
from pathlib import Path
from tests.unit.test_ledger_reserve import Ledger, aside
aside(Ledger(Path(sys.argv[1])), "0.5")
print("aside", flush=True)
sys.stdin.readline()
"""


def test_what_a_process_has_set_aside_is_free_when_it_was_killed(ledger: Ledger):
    command = [sys.executable, "-c", RESERVING, str(ledger.path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "aside\n"
        place = waits(ledger, "0.5")
        process.kill()
        process.wait()
        assert isinstance(reserve(ledger, exactly("0.5"), (DAILY,), AT, place=place), Reservation)


def test_a_number_that_another_process_has_now_is_not_the_one_that_died():
    this = Process.this()
    assert not this.is_dead()
    if this.started:
        assert replace(this, started="1").is_dead()


def test_a_process_of_another_machine_is_never_guessed_to_be_dead():
    assert not replace(Process.this(), place="elsewhere", pid=2**22 + 1).is_dead()


@settings(max_examples=25)
@given(amounts=st.lists(st.decimals(0, 1, places=3), min_size=1, max_size=24), limit=st.decimals(0, 3, places=3))
def test_those_who_ask_at_once_never_get_more_than_the_limit(
    tmp_path_factory: pytest.TempPathFactory, amounts: list[Decimal], limit: Decimal
):
    path = tmp_path_factory.mktemp("budget") / "ledger.sqlite"
    whole = Limit(scope="daily", amount=limit, since=AT)

    def ask(turn: int) -> Decimal:
        ledger = Ledger(path)
        got = reserve(ledger, exactly(amounts[turn]), (whole,), AT)
        if turn % 2 and isinstance(got, Reservation):
            ledger.record(replace(ONE, turn=turn, cost_usd=amounts[turn]))
            release(ledger, got)
        ledger.close()
        return amounts[turn] if isinstance(got, Reservation) else Decimal(0)

    with ThreadPoolExecutor(4) as crowd:
        granted = sum(crowd.map(ask, range(len(amounts))))
    assert granted <= limit
    assert granted + max(amounts) > limit or granted == sum(amounts)


def test_what_the_dead_have_spent_is_booked_before_what_they_held_is_free(ledger: Ledger):
    hold = "from pathlib import Path\nfrom tests.unit.test_ledger_reserve import *\n"
    hold += f"aside(Ledger(Path({str(ledger.path)!r})), '0.3')"
    subprocess.run([sys.executable, "-c", hold], check=True)
    booked: list[Decimal] = []

    def book_dead() -> None:
        with ledger.transaction() as connection:
            held = connection.execute("SELECT amount FROM reservations").fetchall()
        booked.extend(Decimal(amount) for (amount,) in held)
        ledger.record(replace(ONE, at=AT, cost_usd=Decimal("0.3")))

    answer = reserve(ledger, exactly("0.3"), (DAILY,), AT, book_dead=book_dead)
    assert booked == [Decimal("0.3")]
    assert answer == refused(DAILY, "0.3", "0")
