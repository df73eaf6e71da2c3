from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from answers import Answer
from statements import SAVINGS

from finclaw_ledger.names import shown_name
from finclaw_ledger.wording import private

Run = Callable[..., tuple[int, str, str]]
File = Callable[..., Path]
Load = Callable[..., str]
Ask = Callable[..., Answer]
IBAN = "DE89370400440532013000"
CARD = "4111111111111111"


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        (f"umsaetze_{IBAN}.csv", "umsaetze_…3000.csv"),
        (f"{IBAN.lower()}_20260131.csv", "…3000_20260131.csv"),
        ("DE89 3704 0044 0532 0130 00.csv", "…3000.csv"),
        ("GB29NWBK60161331926819.ofx", "…6819.ofx"),
        ("20260131-1234567890-umsatz.csv", "20260131-…7890-umsatz.csv"),
        ("4111_1111_1111_1111.csv", "…1111.csv"),
        (f"card{CARD}-2026-01-31.csv", "card…1111-2026-01-31.csv"),
        ("12345678.csv", "…5678.csv"),
        ("giro_20260101_20260131.csv", "giro_20260101_20260131.csv"),
        ("01.01.2026-31.01.2026.csv", "01.01.2026-31.01.2026.csv"),
        ("ab12-some-name-here.csv", "ab12-some-name-here.csv"),
        ("giro-2026-01.csv", "giro-2026-01.csv"),
    ],
)
def test_names_keep_their_dates_and_lose_numbers_of_accounts(name: str, shown: str) -> None:
    assert shown_name(name) == shown


@pytest.mark.parametrize("name", [f"umsaetze_{IBAN}.csv", "20260131-1234567890-umsatz.csv", f"{CARD}.csv"])
def test_no_answer_and_no_list_names_a_file_whole(run: Run, load: Load, ask: Ask, name: str) -> None:
    said = [load(SAVINGS, name, "--account", "S", "--currency", "EUR"), *run("list")[1:]]
    for tool in ("ledger_accounts", "ledger_balance", "ledger_transactions", "spending", "holdings"):
        answer = ask(tool)
        said.append(answer.text + json.dumps(answer.json))
    for number in (IBAN, "1234567890", CARD):
        assert number not in "".join(said)
    assert ask("ledger_accounts").json["sources"][0]["ref"] == shown_name(name)
    assert "2 duplicate" in load(SAVINGS, name, "--account", "S", "--currency", "EUR")


def test_the_import_tool_names_no_file_and_no_header_whole(ask: Ask, file: File, tmp_path: Path) -> None:
    name = file(f"Foo,{CARD},{IBAN},x\n1,2,3,4\n", f"x_{IBAN}.csv").name
    answer = ask("import_statement", {"workspace": tmp_path}, path=name, account="S", currency="EUR")
    assert answer.code == "BAD_INPUT"
    assert "x_…3000.csv: no profile knows its columns; the header may be: Foo,…1111,…3000,x" in answer.text
    assert CARD not in answer.text
    assert IBAN not in answer.text


def test_bad_rows_are_shown_without_numbers_of_accounts(run: Run, file: File) -> None:
    path = file(f"Date,Payee,Amount\n{CARD},{IBAN},-1\n2026-01-05,{CARD},{IBAN}\n", "s.csv")
    _, out, err = run("import", path, "--account", "S", "--currency", "EUR", "--decimal", ".", "--date-format", "YMD")
    assert "2 rejected" in out
    assert "…1111, …3000" in err
    assert CARD not in err
    assert IBAN not in err


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (f"Karte {CARD}, Berlin", "Karte …1111, Berlin"),
        (f"ref_{IBAN}.", "ref_…3000."),
        ("1234567890.12", "1234567890.12"),
        ("1,234567890", "1,234567890"),
    ],
)
def test_a_comma_behind_a_number_does_not_make_it_an_amount(text: str, shown: str) -> None:
    assert private(text) == shown
