"""The ledger's file: what is written comes back, once and exactly; and what goes wrong is said in words."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path

import pytest

from finclaw_cli.core.usage import Usage
from finclaw_cli.usage.connection import reading
from finclaw_cli.usage.entries import RequestEntry, ToolEntry
from finclaw_cli.usage.locks import one_at_a_time
from finclaw_cli.usage.report import request_report, tool_report
from finclaw_cli.usage.spending import spent
from finclaw_cli.usage.store import Ledger
from finclaw_cli.usage.sums import RequestSums

AT = datetime(2026, 11, 20, 12, 0, 0, 123_000, tzinfo=UTC)
ONE = RequestEntry(
    at=AT,
    run_id="run_1",
    session_id="talk",
    turn=1,
    attempt=1,
    agent_id="main",
    provider="anthropic",
    model="claude-sonnet-5-5",
    usage=Usage(input=10, output=20, cache_read=30, cache_write=40, reasoning=5, cache_write_1h=6),
    cost_usd=Decimal("0.010935"),
    price_source="genai-prices 0.2.3",
)
CALL = ToolEntry(
    at=AT, run_id="run_1", session_id="talk", turn=1, call_id="c1", agent_id="main",
    tool="get_quote", status="completed", duration_ms=12,
)  # fmt: skip


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "home" / "ledger.sqlite"


@pytest.fixture
def ledger(path: Path) -> Iterator[Ledger]:
    opened = Ledger(path, timeout_s=0.2)
    yield opened
    opened.close()


def total(path: Path) -> RequestSums:
    with reading(path) as connection:
        return request_report(connection).total


def spent_since(path: Path, since: datetime = AT) -> Decimal:
    with reading(path) as connection:
        return spent(connection, since)


def test_what_was_written_comes_back(ledger: Ledger, path: Path):
    ledger.record(ONE)
    assert total(path) == RequestSums(requests=1, usage=ONE.usage, cost_usd=Decimal("0.010935"))


def test_money_has_no_tail_of_a_float(ledger: Ledger, path: Path):
    ledger.record(*(replace(ONE, turn=turn, cost_usd=Decimal("0.1")) for turn in range(3)))
    assert str(total(path).cost_usd) == "0.3"


def test_a_cost_of_thirds_is_kept_digit_by_digit(ledger: Ledger, path: Path):
    thirds = Decimal("0.000000041666666666666664")
    ledger.record(replace(ONE, cost_usd=thirds), replace(ONE, turn=2, cost_usd=Decimal(1)))
    assert total(path).cost_usd == 1 + thirds
    assert spent_since(path) == 1 + thirds


def test_sums_go_on_where_the_integers_of_sqlite_end(ledger: Ledger, path: Path):
    ledger.record(*(replace(ONE, turn=turn, cost_usd=Decimal(4_000_000)) for turn in range(5)))
    assert total(path).cost_usd == 20_000_000
    assert str(spent_since(path)) == "20000000"


def test_the_same_row_twice_is_one_row(ledger: Ledger, path: Path):
    ledger.record(ONE, CALL)
    assert ledger.record_all([ONE, CALL]) == 2
    assert total(path).requests == 1
    with reading(path) as connection:
        assert tool_report(connection).total.calls == 1


def test_a_row_that_is_better_known_takes_the_place_of_the_first(ledger: Ledger, path: Path):
    ledger.record(replace(ONE, status="interrupted", is_estimated=True, usage=Usage(output=1), cost_usd=None))
    ledger.record(ONE)
    assert total(path) == RequestSums(requests=1, usage=ONE.usage, cost_usd=ONE.cost_usd)


@pytest.mark.parametrize(
    "other",
    [
        replace(ONE, turn=2),
        replace(ONE, attempt=2),
        replace(ONE, purpose="compaction"),
        replace(ONE, number=1),
        replace(ONE, run_id="run_2"),
    ],
    ids=["turn", "attempt", "purpose", "number", "run"],
)
def test_what_differs_in_its_key_is_another_row(ledger: Ledger, path: Path, other: RequestEntry):
    ledger.record(ONE, other)
    assert total(path).requests == 2


def test_an_unknown_price_is_none_and_its_tokens_are_named(ledger: Ledger, path: Path):
    ledger.record(replace(ONE, cost_usd=None))
    sums = total(path)
    assert (sums.cost_usd, sums.unpriced, sums.unpriced_tokens) == (None, 1, 100)


def test_what_nobody_reported_is_none_and_counted(ledger: Ledger, path: Path):
    ledger.record(replace(ONE, usage=None, cost_usd=None, status="failed"))
    assert total(path) == RequestSums(requests=1, failed=1, unreported=1)


def test_retried_and_interrupted_requests_are_marked(ledger: Ledger, path: Path):
    ledger.record(replace(ONE, status="failed"))
    ledger.record(replace(ONE, attempt=2, status="interrupted", is_estimated=True))
    sums = total(path)
    assert (sums.requests, sums.failed, sums.interrupted, sums.retries, sums.estimated) == (2, 1, 1, 1, 1)


def test_counts_that_cannot_be_true_spoil_no_sums(ledger: Ledger, path: Path):
    ledger.record(ONE, replace(ONE, turn=2, usage=Usage(input=10**30), cost_usd=None))
    sums = total(path)
    assert (sums.usage, sums.unreported) == (ONE.usage, 1)


def test_half_a_character_can_be_kept(ledger: Ledger, path: Path):
    ledger.record(replace(ONE, model="m\ud800"))
    with reading(path) as connection:
        assert [row.key for row in request_report(connection).rows] == [("m?",)]


@pytest.mark.parametrize("cost", ["-1", "NaN", "Infinity", "1e15", "1e-99"])
def test_what_is_no_amount_is_no_entry(cost: str):
    with pytest.raises(ValueError, match="not an amount"):
        replace(ONE, cost_usd=Decimal(cost))


@pytest.mark.parametrize(("entry", "name"), [(ONE, "turn"), (ONE, "attempt"), (CALL, "turn"), (CALL, "duration_ms")])
@pytest.mark.parametrize("number", [-1, 10**30])
def test_what_is_no_number_is_no_entry(entry: RequestEntry | ToolEntry, name: str, number: int):
    with pytest.raises(ValueError, match="not a number"):
        replace(entry, **{name: number})


@pytest.mark.parametrize("at", [datetime(2026, 1, 1), datetime(1, 1, 1, tzinfo=UTC)], ids=["naive", "ancient"])  # noqa: DTZ001
def test_what_is_no_moment_is_no_entry(at: datetime):
    with pytest.raises(ValueError, match="not a moment"):
        replace(ONE, at=at)


def test_spending_begins_with_the_moment_asked_for(ledger: Ledger, path: Path):
    ledger.record(ONE, replace(ONE, turn=2, at=AT - timedelta(milliseconds=1)))
    assert spent_since(path) == ONE.cost_usd


def test_all_files_are_for_their_owner_alone(ledger: Ledger, path: Path):
    ledger.record(ONE)
    ledger.checkpoint()
    ledger.record(replace(ONE, turn=2))
    modes = {file.name: file.stat().st_mode & 0o777 for file in path.parent.iterdir()}
    names = ("ledger.sqlite", "ledger.sqlite-shm", "ledger.sqlite-wal", "ledger.sqlite.lock")
    assert modes == dict.fromkeys(names, 0o600)
    assert path.parent.stat().st_mode & 0o777 == 0o700


def test_a_file_that_others_could_read_is_closed_to_them(ledger: Ledger, path: Path):
    ledger.record(ONE)
    ledger.close()
    path.chmod(0o644)
    ledger.record(ONE)
    assert path.stat().st_mode & 0o777 == 0o600


def test_reading_makes_no_file(path: Path):
    assert total(path) == RequestSums()
    assert spent_since(path) == 0
    assert not path.parent.exists()


def test_a_checkpoint_empties_the_log_and_loses_nothing(ledger: Ledger, path: Path):
    ledger.record(ONE)
    assert ledger.checkpoint()
    assert path.with_name("ledger.sqlite-wal").stat().st_size == 0
    assert total(path).requests == 1


def test_only_one_process_checkpoints_at_a_time(ledger: Ledger, path: Path):
    ledger.record(ONE)
    with one_at_a_time(path, 0):
        assert not ledger.checkpoint()


def test_a_log_that_has_grown_is_emptied_by_who_writes(ledger: Ledger, path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("finclaw_cli.usage.store.MAX_LOG_BYTES", 10_000)
    for turn in range(200):
        ledger.record(replace(ONE, turn=turn))
    assert path.with_name("ledger.sqlite-wal").stat().st_size < 64 * 20_000
    assert total(path).requests == 200


def test_a_ledger_that_was_removed_is_made_anew(ledger: Ledger, path: Path):
    ledger.record(ONE)
    path.unlink()
    ledger.record(replace(ONE, turn=2))
    ledger.close()
    assert total(path).requests == 1


def test_the_log_of_a_removed_ledger_is_not_read_into_the_new_one(ledger: Ledger, path: Path):
    ledger.record(ONE)
    log = path.with_name("ledger.sqlite-wal").read_bytes()
    ledger.close()
    path.unlink()
    path.with_name("ledger.sqlite-wal").write_bytes(log)
    ledger.record(replace(ONE, turn=2))
    assert total(path).requests == 1


def test_threads_take_turns(ledger: Ledger, path: Path):
    def write(run: int) -> None:
        for turn in range(20):
            ledger.record(replace(ONE, run_id=f"run_{run}", turn=turn))

    threads = [threading.Thread(target=write, args=(run,)) for run in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert total(path).requests == 160
