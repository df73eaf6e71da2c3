from __future__ import annotations

import os
from collections.abc import Callable
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from finclaw_cli.sdk import ToolContext, ToolError
from finclaw_cli.testing.tools import run_tool
from finclaw_market.fx import convert_currency
from finclaw_market.intake import import_data, preview_import
from finclaw_market.quotes import get_quote

PRICES = "Date,Close\n2024-01-02,100\n2024-01-03,50.1\n"
RATES = "date,from,to,rate\n2024-01-02,USD,VND,24350\n2024-01-03,USD,VND,24400\n2099-01-01,EUR,USD,1\n"


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "work"
    folder.mkdir()
    (folder / "prices.csv").write_text(PRICES)
    (tmp_path / "secret.csv").write_text(PRICES)
    return folder


@pytest.fixture
def ctx(context: Callable[..., ToolContext], workspace: Path) -> ToolContext:
    from dataclasses import replace

    return replace(context(), workspace=workspace)


def data(result: Any) -> dict[str, Any]:
    return dict(result.data)


def test_by_default_nothing_is_written(ctx: ToolContext, home: Path) -> None:
    result = import_data("prices.csv", ctx, symbol="acme", currency="USD")
    assert (data(result)["imported"], data(result)["rows"]) == (
        False,
        {"read": 2, "new": 2, "changed": 0, "unchanged": 0, "rejected": 0},
    )
    assert not home.exists()
    assert "probable 2-for-1 split not applied" in " ".join(result.warnings)


def test_what_was_imported_can_be_quoted_and_is_named_by_its_file(
    ctx: ToolContext, now: Callable[[date], None]
) -> None:
    now(date(2024, 1, 4))
    assert data(import_data("prices.csv", ctx, symbol="ACME", currency="USD", dry_run=False))["imported"]
    assert get_quote("ACME", ctx).sources[0].ref == "prices.csv"
    again = data(import_data("prices.csv", ctx, symbol="ACME", currency="USD", dry_run=False))
    assert (again["imported"], again["rows"]["unchanged"]) == (True, 2)


def test_bad_rows_are_told_and_nothing_is_imported(ctx: ToolContext, home: Path) -> None:
    (ctx.workspace / "bad.csv").write_text("Date,Close\n2024-01-02,100\n2024-01-03,-1\n")
    found = data(import_data("bad.csv", ctx, symbol="A", dry_run=False))
    assert (found["imported"], found["rows"]["rejected"]) == (False, 1)
    assert found["rejected"][0]["reason"] == "close -1 is not above zero"
    assert not home.exists()


def test_stored_bars_are_never_changed(ctx: ToolContext) -> None:
    import_data("prices.csv", ctx, symbol="A", dry_run=False)
    (ctx.workspace / "other.csv").write_text("Date,Close\n2024-01-02,101\n")
    found = data(import_data("other.csv", ctx, symbol="A", dry_run=False))
    assert (found["imported"], found["changes"]) == (False, ["A 2024-01-02: close 100 → 101"])


def test_the_preview_says_what_would_happen_and_changes_nothing(ctx: ToolContext, home: Path) -> None:
    said = preview_import("prices.csv", ctx, symbol="A", dry_run=False)
    assert said.splitlines()[0] == "imports prices from 'prices.csv'"
    assert "A: 2 rows, 2024-01-02 to 2024-01-03: 2 new" in said
    assert not home.exists()


def test_a_path_that_leads_out_of_the_workspace_is_refused(ctx: ToolContext, tmp_path: Path) -> None:
    (ctx.workspace / "link.csv").symlink_to(tmp_path / "secret.csv")
    (ctx.workspace / "folder").symlink_to(tmp_path)
    (ctx.workspace / "own").mkdir()
    os.mkfifo(ctx.workspace / "pipe.csv")
    outside = ["../secret.csv", "link.csv", "folder/secret.csv", str(tmp_path / "secret.csv"), "", ".", "own", "pipe.csv",
               "no.csv", "own/no.csv", "a\0b", "x" * 2000]  # fmt: skip
    for path in outside:
        with pytest.raises(ToolError, match="BAD_INPUT: path "):
            import_data(path, ctx, symbol="A")
    inside = str(ctx.workspace / "prices.csv")
    assert data(import_data(inside, ctx, symbol="A"))["rows"]["read"] == 2


def test_finclaw_s_own_data_is_not_read_even_within_the_workspace(ctx: ToolContext) -> None:
    from dataclasses import replace

    inside = ctx.workspace / ".finclaw"
    inside.mkdir()
    (inside / "keys.csv").write_text(PRICES)
    with pytest.raises(ToolError, match="own data"):
        import_data(".finclaw/keys.csv", replace(ctx, home=inside), symbol="A")


@pytest.mark.parametrize("options", [{"symbol": "a b"}, {"currency": "dollars"}, {"tz": "Mars/Base"}])
def test_what_is_said_about_a_file_is_checked(ctx: ToolContext, options: dict[str, Any]) -> None:
    with pytest.raises(ToolError, match="BAD_INPUT"):
        import_data("prices.csv", ctx, **options)


def test_it_never_runs_unasked(home: Path, workspace: Path) -> None:
    refused = run_tool(import_data, {"path": "prices.csv", "symbol": "A"}, approved=False, workspace=workspace)
    assert refused.is_error
    asked = run_tool(import_data, {"path": "prices.csv", "symbol": "A"}, workspace=workspace, home=home)
    assert not asked.is_error


@pytest.fixture
def rates(ctx: ToolContext) -> None:
    (ctx.workspace / "fx.csv").write_text(RATES.replace("2099-01-01,EUR,USD,1\n", "2024-01-03,EUR,USD,9\n"))
    assert data(import_data("fx.csv", ctx, kind="fx", dry_run=False))["imported"]


@pytest.mark.usefixtures("rates")
def test_imported_rates_serve_where_the_ecb_has_none(ctx: ToolContext) -> None:
    result = convert_currency(Decimal("10.5"), "usd", "vnd", ctx, date=date(2024, 1, 3))
    assert data(result) == {
        "amount": {"amount": "256200", "currency": "VND"},
        "from": {"amount": "10.5", "currency": "USD"},
        "rate": "24400",
        "rate_date": date(2024, 1, 3),
    }
    assert (result.sources[0].ref, result.sources[0].rows) == ("fx.csv", "3")
    assert "the user's own is used" in result.warnings[0]
    inverse = convert_currency(Decimal(24400), "VND", "USD", ctx, date=date(2024, 1, 3))
    assert data(inverse)["amount"] == {"amount": "1.00", "currency": "USD"}


@pytest.mark.usefixtures("rates")
def test_where_the_ecb_has_a_rate_it_is_the_one(ctx: ToolContext) -> None:
    result = convert_currency(Decimal(1), "EUR", "USD", ctx, date=date(2024, 1, 3))
    assert data(result)["rate"] == "1.0919"


@pytest.mark.usefixtures("rates")
def test_no_later_rate_is_used_and_none_that_is_long_past(ctx: ToolContext) -> None:
    with pytest.raises(ToolError, match="the ECB sets no rate for 'VND'"):
        convert_currency(Decimal(1), "USD", "VND", ctx, date=date(2024, 1, 1), on_missing="previous")
    with pytest.raises(ToolError, match="the ECB sets no rate for 'VND'"):
        convert_currency(Decimal(1), "USD", "VND", ctx, date=date(2024, 3, 1), on_missing="previous")
    later = convert_currency(Decimal(1), "USD", "VND", ctx, date=date(2024, 1, 12), on_missing="previous")
    assert later.sessions_behind == 7


def test_rates_in_the_future_or_of_no_currency_are_rejected(ctx: ToolContext) -> None:
    (ctx.workspace / "fx.csv").write_text(RATES + "2024-01-04,USD,US dollar,1\n2024-01-05,USD,VND,0\n")
    found = data(import_data("fx.csv", ctx, kind="fx", dry_run=False))
    assert [row["line"] for row in found["rejected"]] == [4, 5, 6]
