"""`finclaw cost`: what requests have cost, for people on terminals of any width and for machines."""

from __future__ import annotations

import csv
import io
import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace

import pytest

from tests.e2e.costing import NEW_YORK, ONE, home, spent, told
from tests.e2e.harness import Finclaw

__all__ = ["home"]


class TestTable:
    def test_without_options_it_is_by_model_with_a_total(self, home: Finclaw):
        ran = home("cost")
        assert ran.code == 0, ran.stderr
        assert [line.split() for line in ran.text.splitlines()[:5]] == [
            ["MODEL", "REQUESTS", "INPUT", "OUTPUT", "CACHE", "READ", "CACHE", "WRITE", "COST", "(USD)"],
            ["claude-sonnet-5-5", "1", "1,000", "200", "3,000", "40", "0.010935"],
            ["gpt", "1", "1,000", "200", "3,000", "40", "1.00"],
            ["llama", "1", "1,000", "200", "3,000", "40", "unknown"],
            ["TOTAL", "3", "3,000", "600", "9,000", "120", "1.010935"],
        ]
        assert "4,240 tokens of 1 request have no price and are in no cost: local:llama." in ran.text
        assert "finclaw models set" in ran.text

    def test_groups_are_columns_in_the_order_asked_for(self, home: Finclaw):
        lines = home("cost", "--by", "session,day", "--by", "model", env={"TZ": "UTC"}).text.splitlines()
        assert lines[0].split()[:4] == ["SESSION", "DAY", "MODEL", "REQUESTS"]
        assert [line.split()[:3] for line in lines[1:4]] == [
            ["talk", "2026-11-02", "claude-sonnet-5-5"],
            ["talk", "2026-11-02", "llama"],
            ["trade", "2026-11-04", "gpt"],
        ]

    def test_a_pipe_gets_all_columns_and_whole_names_however_narrow_the_terminal_is(self, own: Finclaw):
        spent(own, replace(ONE, model="m" * 90))
        ran = own("cost", env={"COLUMNS": "40"})
        assert "m" * 90 in ran.text
        assert "CACHE WRITE" in ran.text

    def test_what_failed_or_was_estimated_is_said(self, own: Finclaw):
        spent(
            own,
            replace(ONE, status="failed", usage=None, cost_usd=None),
            replace(ONE, attempt=2, status="interrupted", is_estimated=True),
        )
        ran = own("cost")
        assert "Of 2 requests, 1 failed, 1 was interrupted and 1 was made again after a failure." in ran.text
        assert "The tokens of 1 request are estimated" in ran.text
        assert "The usage of 1 request is unknown" in ran.text

    def test_what_the_cache_saved_is_said(self, own: Finclaw):
        spent(own, ONE)
        assert "The cache saved 0.009065 USD." in own("cost").text

    def test_without_any_spending_it_says_so_and_makes_no_file(self, own: Finclaw):
        ran = own("cost")
        assert (ran.code, ran.text, ran.stderr) == (0, "Nothing has been spent yet.\n", "")
        assert own("cost", "--by", "tool").text == "No tool has been called yet.\n"
        assert list(own.home.glob("ledger*")) == []

    def test_where_a_filter_leaves_nothing_it_is_named(self, home: Finclaw):
        ran = home("cost", "--since", "2030-01-01", "--session", "talk")
        assert (ran.code, ran.text) == (0, "Nothing has been spent yet (since 2030-01-01 00:00, in session talk).\n")


class TestFilters:
    @pytest.mark.parametrize(
        ("options", "requests"),
        [
            (("--until", "2026-11-01"), 2),
            (("--since", "2026-11-01", "--until", "2026-11-01"), 2),
            (("--since", "2026-11-02"), 1),
            (("--until", "2026-10-31"), 0),
            (("--until", "2026-11"), 3),
            (("--since", "2026-11-02T04:30:00.001Z"), 1),
            (("--until", "2026-11-02T04:30Z"), 0),
            (("--since", "24h"), 0),
        ],
    )
    def test_days_are_those_of_the_users_zone_and_the_last_one_is_whole(
        self, home: Finclaw, options: tuple[str, ...], requests: int
    ):
        assert told(home, *options, **NEW_YORK)["total"]["requests"] == requests

    def test_the_bounds_are_told_with_their_zone(self, home: Finclaw):
        facts = told(home, "--since", "2026-11-01", "--until", "2026-11-01", **NEW_YORK)
        assert (facts["since"], facts["until"]) == ("2026-11-01T00:00:00-04:00", "2026-11-02T00:00:00-05:00")

    def test_a_day_is_called_what_it_is_where_the_user_is(self, home: Finclaw):
        assert [row["day"] for row in told(home, "--by", "day", **NEW_YORK)["rows"]] == ["2026-11-01", "2026-11-03"]
        assert [row["day"] for row in told(home, "--by", "day", TZ="Asia/Seoul")["rows"]] == [
            "2026-11-02",
            "2026-11-04",
        ]

    def test_a_session_is_meant_by_the_beginning_of_its_name_though_it_was_removed(self, home: Finclaw):
        facts = told(home, "--session", "tr")
        assert (facts["session"], facts["total"]["requests"]) == ("trade", 1)

    def test_a_run_is_meant_by_the_beginning_of_its_id(self, home: Finclaw):
        facts = told(home, "--run", "run_2")
        assert (facts["run"], [row["model"] for row in facts["rows"]]) == ("run_200", ["gpt"])

    def test_a_session_that_cost_nothing_is_no_mistake(self, home: Finclaw):
        (home.home / "sessions").mkdir()
        (home.home / "sessions" / "quiet.jsonl").touch()
        ran = home("cost", "--session", "qui")
        assert (ran.code, ran.text) == (0, "Nothing has been spent yet (in session quiet).\n")


class TestMachines:
    def test_json_is_one_object_with_amounts_as_strings(self, home: Finclaw):
        facts = told(home)
        assert (facts["by"], facts["currency"], facts["total"]["cost_usd"]) == (["model"], "USD", "1.010935")
        assert facts["rows"][0]["usage"] == {
            "input": 1_000, "output": 200, "cache_read": 3_000, "cache_write": 40, "reasoning": 0, "cache_write_1h": 0, "total": 4_240,
        }  # fmt: skip
        assert facts["rows"][2]["cost_usd"] is None
        assert facts["unpriced_models"] == [{"provider": "local", "model": "llama", "tokens": 4_240}]

    def test_ndjson_is_the_rows_and_no_total(self, home: Finclaw):
        ran = home("cost", "--format", "ndjson")
        assert [json.loads(line) for line in ran.stdout.splitlines()] == told(home)["rows"]

    def test_csv_is_a_header_and_the_rows(self, home: Finclaw):
        ran = home("cost", "--format", "csv", "--by", "provider,model")
        assert b"\r" not in ran.stdout
        rows = list(csv.DictReader(io.StringIO(ran.text)))
        assert [(row["provider"], row["model"], row["cost_usd"]) for row in rows] == [
            ("anthropic", "claude-sonnet-5-5", "0.010935"),
            ("local", "llama", ""),
            ("openai", "gpt", "1"),
        ]

    def test_nothing_is_valid_in_every_format(self, own: Finclaw):
        facts = told(own)
        assert (facts["rows"], facts["total"]["cost_usd"]) == ([], "0")
        assert own("cost", "--format", "ndjson").stdout == b""
        assert own("cost", "--format", "csv").text.startswith("model,requests,")
        assert len(own("cost", "--format", "csv").text.splitlines()) == 1


class TestTools:
    def test_calls_are_counted_with_how_long_they_took(self, home: Finclaw):
        lines = home("cost", "--by", "tool,session").text.splitlines()
        assert [line.split() for line in lines] == [
            ["TOOL", "SESSION", "CALLS", "NOT", "COMPLETED", "TIME", "LONGEST"],
            ["get_quote", "talk", "1", "0", "1.5", "s", "1.5", "s"],
            ["pay", "talk", "1", "1", "0", "ms", "0", "ms"],
            ["TOTAL", "2", "1", "1.5", "s", "1.5", "s"],
        ]

    def test_machines_get_milliseconds(self, home: Finclaw):
        assert told(home, "--by", "tool")["rows"][0] == {
            "tool": "get_quote", "calls": 1, "not_completed": 0, "duration_ms": 1_500, "longest_ms": 1_500
        }  # fmt: skip


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--by", "modle"), "did you mean model?"),
        (("--by", "tool,model"), "tool calls cannot be grouped by model"),
        (("--since", "soon"), "'soon' is no date"),
        (("--since", "today", "--until", "yesterday"), "the period is empty"),
        (("--session", "talks"), "did you mean talk"),
        (("--session", "t"), "begins the names of several sessions: talk, trade"),
        (("--session", ""), "nothing was spent in a session ''"),
        (("--run", "run_3"), "did you mean run_"),
        (("--format", "jsonl"), "did you mean json, ndjson?"),
        (("--json", "--format", "csv"), "exclude each other"),
        (("--json", "--chart"), "no chart in json"),
        (("--by", "tool", "--chart"), "there is no chart of them"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_a_mistake_is_said_with_what_to_do(home: Finclaw, options: tuple[str, ...], words: str):
    ran = home("cost", *options)
    assert (ran.code, ran.stdout) == (2, b"")
    assert words in ran.stderr
    assert len(ran.stderr.splitlines()) == 2
    assert "Traceback" not in ran.stderr


class TestBrokenLedgers:
    def refusal(self, own: Finclaw, code: int = 1) -> str:
        ran = own("cost")
        assert (ran.code, ran.stdout) == (code, b"")
        assert str(own.home / "ledger.db") in ran.stderr
        assert "Traceback" not in ran.stderr
        return ran.stderr

    def test_what_is_no_database_is_said_to_be_none(self, own: Finclaw):
        (own.home / "ledger.db").write_text("What is this? " * 500)
        assert "finclaw cost rebuild" in self.refusal(own)

    def test_damage_is_said_to_be_damage(self, home: Finclaw):
        path = home.home / "ledger.db"
        pages = path.read_bytes()
        path.write_bytes(pages[:4096] + b"\xff" * (len(pages) - 4096))
        assert "finclaw cost rebuild" in self.refusal(home)

    def test_a_newer_one_is_not_guessed_at(self, home: Finclaw):
        with closing(sqlite3.connect(home.home / "ledger.db")) as connection:
            connection.execute("PRAGMA user_version = 99")
        assert "made by a newer finclaw" in self.refusal(home)

    def test_a_locked_one_is_waited_for_and_then_named(self, home: Finclaw):
        with locked(home):
            assert "locked" in self.refusal(home, code=11)


@contextmanager
def locked(own: Finclaw) -> Iterator[None]:
    with closing(sqlite3.connect(own.home / "ledger.db", isolation_level=None)) as connection:
        connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        connection.execute("BEGIN EXCLUSIVE")
        yield
