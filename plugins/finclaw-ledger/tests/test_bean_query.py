"""The same with the real `bean-query`, where it is installed; test_beancount.py runs always."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest
from answers import Answer
from statements import BEANCOUNT

pytestmark = pytest.mark.skipif(shutil.which("bean-query") is None, reason="beanquery is not installed")


def test_the_real_program_answers(tmp_path: Path, ask: Callable[..., Answer]) -> None:
    path = tmp_path / "main.beancount"
    path.write_text(BEANCOUNT)
    context = {"settings": {"beancount_file": str(path)}}
    assert ask("ledger_balance", context, account="Assets:Bank").data["total"] == {"EUR": "957.50"}
    assert ask("holdings", context).data["quantities"] == {"ACME": "3"}
    assert ask("spending", context).data["spending"]["EUR"]["total"] == "12.50"
    assert ask("ledger_query", context, bql="SELECT account, sum(number) GROUP BY account").data["count"] == 4
    early = {**context, "as_of": date(2024, 1, 6)}
    assert ask("ledger_query", early, bql="BALANCES").code == "BAD_INPUT"
    assert ask("ledger_query", early, bql="BALANCES FROM CLOSE ON 2024-01-07").data["count"] == 3
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["main.beancount"]
