"""`finclaw tools call`: what a terminal, a pipe and a spreadsheet get."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from tests.e2e.harness import Finclaw
from tests.e2e.terminals import on_terminal

CALL = ("tools", "call", "price", "symbol=ACME")
PRICE = {"symbol": "ACME", "close": "42.10", "currency": "USD"}


@pytest.mark.skipif(sys.platform != "linux", reason="reads a pty to its end as Linux does")
class TestTerminal:
    def test_the_result_is_rendered(self, finclaw: Finclaw) -> None:
        code, seen = on_terminal(finclaw, *CALL, columns=80)
        assert (code, seen.decode().split()) == (0, ["symbol", "ACME", "close", "42.10", "currency", "USD"])

    def test_json_is_given_where_it_is_asked_for(self, finclaw: Finclaw) -> None:
        _, seen = on_terminal(finclaw, *CALL, "--json", columns=80)
        assert json.loads(seen) == PRICE

    @pytest.mark.parametrize("columns", [40, 80])
    def test_no_escape_sequence_of_a_result_reaches_it(self, finclaw: Finclaw, columns: int) -> None:
        _, seen = on_terminal(finclaw, "tools", "call", "strange", columns=columns)
        assert seen.strip()
        assert b"\x1b" not in seen


def test_a_pipe_gets_json(finclaw: Finclaw) -> None:
    assert json.loads(finclaw(*CALL).stdout) == PRICE


def test_csv_is_a_table_for_a_spreadsheet(finclaw: Finclaw) -> None:
    assert finclaw(*CALL, "--csv").text == "symbol,close,currency\nACME,42.10,USD\n"


def test_text_is_csv_too(finclaw: Finclaw) -> None:
    assert finclaw("tools", "call", "big", "chars=3", "--csv").text == "result\nxxx\n"


def test_two_forms_at_once_are_a_usage_error(finclaw: Finclaw) -> None:
    ran = finclaw(*CALL, "--csv", "--json")
    assert (ran.code, ran.stdout) == (2, b"")
    assert "--json and --csv" in ran.stderr


@pytest.mark.parametrize("given", ['{"symbol": "ACME"}', "input.json", "-"])
def test_the_whole_input_may_be_json(finclaw: Finclaw, tmp_path: Path, given: str) -> None:
    (tmp_path / "input.json").write_text('{"symbol": "ACME"}')
    ran = finclaw("tools", "call", "price", "--json", given, stdin=b'{"symbol": "ACME"}')
    assert json.loads(ran.stdout) == PRICE
