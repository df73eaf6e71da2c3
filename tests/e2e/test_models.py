"""`finclaw models`: what can be asked, what it costs, and what the user knows better."""

from __future__ import annotations

import json
import tomllib
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.asking import on_controlling_terminal
from tests.e2e.harness import PATIENCE_S, Finclaw

BEFORE = """\
# my settings
max_turns = 7  # enough

[models."openai:gpt-5.5"]  # the one I use
# measured
window = 50_000  # less than they say

# where things are
[providers.openai]
base_url = 'http://localhost:1/v1'
"""
HAIKU = "anthropic:claude-haiku-4-5"


def listed(own: Finclaw) -> dict[str, dict[str, Any]]:
    return {row["model"]: row for row in json.loads(own("models", "list", "--json").stdout)}


def settings(own: Finclaw) -> Path:
    return own.home / "config.toml"


def said(own: Finclaw) -> dict[str, Any]:
    models: dict[str, Any] = tomllib.loads(settings(own).read_text()).get("models", {})
    return models


def shown_in(own: Finclaw, columns: int) -> list[str]:
    with on_controlling_terminal(own, "models", "list", to_terminal=True, COLUMNS=str(columns)) as terminal:
        assert terminal.end() == 0
        table = bytes(terminal.seen).decode().replace("\r\n", "\n").split("\n\n")[0]
    return table.splitlines()


class TestList:
    def test_a_known_model_has_its_prices_as_strings_and_who_says_so(self, own: Finclaw) -> None:
        row = listed(own)[HAIKU]
        prices = [row[f"{name}_usd"] for name in ("input", "output", "cache_read", "cache_write", "cache_write_1h")]
        assert prices == ["1", "5", "0.1", "1.25", "2"]
        assert row["price_source"].startswith("genai-prices 0.")
        assert row["window_source"] == row["price_source"]
        assert (row["tiers"], row["max_output"]) == ([], None)

    def test_tiers_are_told_with_their_rates_and_marked_in_the_table(self, own: Finclaw) -> None:
        tier = listed(own)["anthropic:claude-haiku-5-5"]["tiers"][0]
        assert (tier["above_input_tokens"], tier["rates"]["input_usd"]) == (100_000, "0.5")
        line = next(line for line in own("models", "list").text.splitlines() if "claude-haiku-5-5" in line)
        assert " 0.1+ " in line

    def test_a_cache_price_that_the_list_does_not_have_is_said_to_be_as_input(self, own: Finclaw) -> None:
        assert listed(own)["openai:gpt-5.5"]["cache_write_usd"] is None
        line = next(line for line in own("models", "list").text.splitlines() if "gpt-5.5 " in line)
        assert line.split("genai-prices")[1].count("as input") == 2

    def test_below_the_table_stands_how_to_ask_a_model_of_another_server(self, own: Finclaw) -> None:
        shown = " ".join(own("models", "list").text.split())
        assert "A model of any compatible server: finclaw run -m NAME --base-url http://" in shown

    def test_an_unknown_price_is_null_and_never_0(self, own: Finclaw) -> None:
        settings(own).write_text('[models."openai:llama9"]\nwindow = 4000\n')
        row = listed(own)["openai:llama9"]
        assert {name: row[name] for name in row if name.endswith("_usd")} == dict.fromkeys(
            ("input_usd", "output_usd", "cache_read_usd", "cache_write_usd", "cache_write_1h_usd")
        )
        assert row["price_source"] is None
        line = next(line for line in own("models", "list").text.splitlines() if "llama9" in line)
        assert line.split().count("-") == 7
        assert " 0 " not in line

    def test_a_script_costs_nothing(self, own: Finclaw) -> None:
        settings(own).write_text('[aliases]\nmine = "scripted:x.json"\n')
        row = listed(own)["mine"]
        assert (row["input_usd"], row["output_usd"], row["price_source"]) == ("0", "0", "scripted")

    def test_what_only_the_settings_describe_is_listed_too(self, own: Finclaw) -> None:
        settings(own).write_text(
            "[models.llama9]\nwindow = 4000\ninput_usd = 0.3\noutput_usd = 1\n"
            '[models."openai-chat:mine"]\nmax_output = 100\n[models."claude-haiku-4-5"]\nmax_output = 9\n'
        )
        rows = listed(own)
        assert (rows["llama9"]["provider"], rows["llama9"]["input_usd"]) == ("", "0.3")
        assert (rows["openai-chat:mine"]["provider"], rows["openai-chat:mine"]["max_output"]) == ("openai-chat", 100)
        assert rows[HAIKU]["max_output"] == 9
        assert "claude-haiku-4-5" not in rows

    def test_an_alias_has_the_prices_of_what_it_stands_for(self, own: Finclaw) -> None:
        settings(own).write_text('[aliases]\nquick = "claude-haiku-4-5"\n')
        rows = listed(own)
        assert rows["quick"]["cache_read_usd"] == rows[HAIKU]["cache_read_usd"] == "0.1"

    @pytest.mark.parametrize("columns", [60, 80, 100, 140, 300])
    def test_a_terminal_leaves_columns_out_rather_than_wrap(self, own: Finclaw, columns: int) -> None:
        lines = shown_in(own, columns)
        assert max(map(len, lines)) <= columns
        assert lines[0].split()[0] == "MODEL"
        assert {"INPUT", "OUTPUT"} <= set(lines[0].split())
        assert any(line.startswith(HAIKU) for line in lines)

    def test_100_columns_have_room_for_all_prices_of_requests_and_their_source(self, own: Finclaw) -> None:
        assert shown_in(own, 100)[0].split() == [
            "MODEL",
            "WINDOW",
            *["INPUT", "OUTPUT", "READ", "WRITE", "PRICES", "FROM"],
        ]

    def test_a_pipe_gets_everything(self, own: Finclaw) -> None:
        head = own("models", "list", env={"COLUMNS": "40"}).text.splitlines()[0]
        assert head.split("  ")[0] == "MODEL"
        assert {"PROVIDER", "KEY", "WINDOW FROM", "MAX OUTPUT", "WRITE 1H", "NOTE"} <= {
            part.strip() for part in head.split("  ")
        }


class TestSet:
    def test_what_is_set_is_stored_in_full_and_holds(self, own: Finclaw) -> None:
        ran = own("models", "set", "claude-haiku-4-5", "--input", "0.30", "--output", "15", "--max-output", "64000")
        assert ran.code == 0
        assert f'Stored in {settings(own)} as [models."{HAIKU}"].' in ran.text
        assert said(own) == {HAIKU: {"max_output": 64000, "input_usd": 0.3, "output_usd": 15}}
        row = listed(own)[HAIKU]
        assert (row["input_usd"], row["cache_read_usd"], row["price_source"]) == ("0.3", None, "settings")
        assert (row["window"], row["max_output"]) == (200_000, 64_000)

    def test_it_says_what_holds_now(self, own: Finclaw) -> None:
        ran = own("models", "set", HAIKU, "--input", "3", "--output", "15", "--cache-read", "0.3", "--json")
        told = json.loads(ran.stdout)
        assert told == {"file": str(settings(own)), "stored_as": HAIKU, "model": told["model"]}
        assert (told["model"]["cache_read_usd"], told["model"]["cache_write_usd"]) == ("0.3", None)
        lines = own("models", "set", HAIKU, "--window", "9000").text.splitlines()
        assert [line.split() for line in lines if line.startswith(("window", "cache write "))] == [
            ["window", "9,000", "settings"],
            ["cache", "write", "as", "input", "settings"],
            ["cache", "write", "1h", "as", "input", "settings"],
        ]

    def test_comments_and_all_else_in_the_file_stay(self, own: Finclaw) -> None:
        settings(own).write_text(BEFORE)
        assert own("models", "set", "gpt-5.5", "--max-output", "9", "--window", "60000").code == 0
        assert settings(own).read_text() == BEFORE.replace("50_000", "60000").replace(
            "they say\n", "they say\nmax_output = 9\n"
        )
        assert own("models", "set", "llama9", "--window", "1000").code == 0
        assert settings(own).read_text().endswith("localhost:1/v1'\n\n[models.llama9]\nwindow = 1000\n")

    def test_the_file_keeps_its_mode_and_a_new_one_is_private(self, own: Finclaw) -> None:
        own("models", "set", "gpt-5.5", "--window", "60000")
        assert settings(own).stat().st_mode & 0o777 == 0o600
        settings(own).chmod(0o644)
        own("models", "set", "gpt-5.5", "--window", "60001")
        assert settings(own).stat().st_mode & 0o777 == 0o644

    def test_a_link_stays_a_link_and_its_target_is_changed(self, own: Finclaw) -> None:
        dotfiles = own.cwd / "dotfiles"
        dotfiles.mkdir()
        (dotfiles / "finclaw.toml").write_text(BEFORE)
        settings(own).symlink_to(dotfiles / "finclaw.toml")
        assert own("models", "set", "gpt-5.5", "--window", "60000").code == 0
        assert settings(own).readlink() == dotfiles / "finclaw.toml"
        assert "window = 60000" in (dotfiles / "finclaw.toml").read_text()
        assert [path.name for path in dotfiles.iterdir()] == ["finclaw.toml"]

    @pytest.mark.parametrize("broken", ["[models\n", "max_turns = 0\n", "nonsense = 1\n", "\xff"])
    def test_a_broken_file_is_named_and_not_touched(self, own: Finclaw, broken: str) -> None:
        settings(own).write_bytes(broken.encode("latin-1"))
        ran = own("models", "set", "gpt-5.5", "--window", "60000")
        assert (ran.code, ran.stdout) == (2, b"")
        assert str(settings(own)) in ran.stderr
        assert settings(own).read_bytes() == broken.encode("latin-1")

    @pytest.mark.parametrize(
        ("options", "says"),
        [
            ("--window 5", "--window: must be greater than or equal to 1000"),
            ("--max-output 0", "--max-output"),
            ("--input 1", "Give --input and --output together."),
            ("--cache-read 1", "Give --input and --output together."),
            ("--input -1 --output 1", "--input: not an amount of USD"),
            ("--input nan --output 1", "--input: not an amount of USD"),
            ("--input 1 --output inf", "--output: not an amount of USD"),
            ("--input 1 --output 1e999999999", "--output: not an amount of USD"),
            ("--input 1 --output 1000001", "--output: not an amount of USD"),
            ("--input 0.0000000000001 --output 1", "--input: an amount of USD has at most 12 decimals"),
            ("--input 1 --output 1 --cache-write-1h free", "--cache-write-1h: not an amount of USD"),
            ("", "nothing to set"),
            ("--unset --window 5000", "--unset"),
        ],
    )
    def test_a_wrong_value_is_named_and_nothing_is_written(self, own: Finclaw, options: str, says: str) -> None:
        settings(own).write_text(BEFORE)
        ran = own("models", "set", "gpt-5.5", *options.split())
        assert ran.code == 2
        assert says in ran.stderr
        assert settings(own).read_text() == BEFORE

    def test_prices_are_kept_to_the_last_digit(self, own: Finclaw) -> None:
        exact = ("123456.123456789012", "0.000000000001")
        own("models", "set", "gpt-5.5", "--input", exact[0], "--output", exact[1])
        row = listed(own)["openai:gpt-5.5"]
        assert (Decimal(row["input_usd"]), Decimal(row["output_usd"])) == (Decimal(exact[0]), Decimal(exact[1]))

    def test_an_alias_is_stored_as_what_it_stands_for(self, own: Finclaw) -> None:
        settings(own).write_text('[aliases]\nquick = "claude-haiku-4-5"\n')
        assert json.loads(own("models", "set", "quick", "--window", "9000", "--json").stdout)["stored_as"] == HAIKU

    def test_a_model_that_no_provider_recognises_counts_for_any_and_that_is_said(self, own: Finclaw) -> None:
        ran = own("models", "set", "llama9", "--input", "0", "--output", "0")
        assert "no provider recognises 'llama9'" in ran.stderr
        assert said(own)["llama9"] == {"input_usd": 0, "output_usd": 0}

    @pytest.mark.parametrize("name", ["", " ", "a\nb", "x" * 201, "scripted:"])
    def test_what_is_no_name_is_refused(self, own: Finclaw, name: str) -> None:
        assert own("models", "set", name, "--window", "9000").code == 2
        assert not settings(own).exists()

    def test_a_table_by_the_model_s_name_alone_is_the_one_that_is_changed(self, own: Finclaw) -> None:
        settings(own).write_text('[models."gpt-5.5"]\nwindow = 5000\n')
        own("models", "set", "gpt-5.5", "--window", "6000")
        assert said(own) == {"gpt-5.5": {"window": 6000}}

    def test_processes_that_set_at_once_lose_nothing(self, own: Finclaw) -> None:
        processes = [own.start("models", "set", f"m{number}", "--window", "9000") for number in range(6)]
        assert [process.wait(PATIENCE_S) for process in processes] == [0] * 6
        assert said(own) == {f"m{number}": {"window": 9000} for number in range(6)}


class TestUnset:
    def test_the_table_is_gone_and_all_else_stays(self, own: Finclaw) -> None:
        settings(own).write_text(BEFORE)
        ran = own("models", "set", "gpt-5.5", "--unset")
        assert ran.code == 0
        assert settings(own).read_text() == (
            "# my settings\nmax_turns = 7  # enough\n\n# where things are\n"
            "[providers.openai]\nbase_url = 'http://localhost:1/v1'\n"
        )
        assert listed(own)["openai:gpt-5.5"]["window_source"].startswith("genai-prices")

    def test_what_was_set_and_unset_leaves_the_file_as_it_was(self, own: Finclaw) -> None:
        settings(own).write_text(BEFORE)
        own("models", "set", "llama9", "--window", "9000")
        assert json.loads(own("models", "set", "llama9", "--unset", "--json").stdout)["removed"] == "llama9"
        assert settings(own).read_text() == BEFORE

    def test_what_was_never_set_is_an_error_that_says_what_is_there(self, own: Finclaw) -> None:
        settings(own).write_text(BEFORE)
        ran = own("models", "set", "llama9", "--unset")
        assert ran.code == 2
        assert "openai:gpt-5.5" in ran.stderr
