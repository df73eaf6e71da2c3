from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from finclaw_cli.sdk import Extension, FinanceResult, ToolContext, ToolError
from finclaw_market import plugin
from finclaw_market.datasets import Dataset, DatasetFile
from finclaw_market.history import get_price_history
from finclaw_market.options import ImportReport
from finclaw_market.quotes import find_symbol, get_quote
from finclaw_market.staging import Facts

Load = Callable[..., ImportReport]
Context = Callable[..., ToolContext]
Install = Callable[..., None]
PRICES = "Date,Close\n2024-01-02,100\n2024-01-03,101\n"
DAY = date(2024, 1, 3)


@pytest.fixture
def install(packages: list[Extension]) -> Install:
    """Installs a package whose entry point gives that value."""

    def put(name: str, value: object) -> None:
        packages.append(Extension(name=name, dist=name, load=lambda: value))

    return put


@pytest.fixture
def dataset(tmp_path: Path) -> Callable[..., Dataset]:
    def make(text: str = PRICES, symbol: str = "DEMO", name: str = "demo") -> Dataset:
        path = tmp_path / f"{symbol}.csv"
        path.write_text(text, "utf-8")
        file = DatasetFile(path=path, symbol=symbol, name=f"{symbol} Inc", currency="USD", adjustment="none")
        return Dataset(name=name, files=(file,), licence="CC0-1.0", kind="synthetic")

    return make


Make = Callable[..., Dataset]


def candidates(result: FinanceResult) -> list[dict[str, object]]:
    assert isinstance(result.data, dict)
    return list(result.data["candidates"])


def cli(*arguments: str) -> tuple[int, str, str]:
    app = typer.Typer(callback=lambda: None)
    plugin.finclaw_commands(app)
    result = CliRunner().invoke(app, ["data", *arguments])
    return result.exit_code, result.stdout, result.stderr


def test_packaged_prices_answer_with_their_kind_and_licence_and_write_nothing(
    install: Install, dataset: Make, context: Context, home: Path
) -> None:
    install("demo", dataset())
    result = get_quote("demo", context(as_of=DAY))
    source = result.sources[0].to_json()
    assert (source["kind"], source["ref"], source["licence"]) == ("synthetic", "DEMO.csv", "CC0-1.0")
    assert len(str(source["sha256"])) == 64
    assert "retrieved_at" not in source
    assert result.instrument is not None
    assert (result.instrument.name, result.adjustment, result.warnings) == ("DEMO Inc", "none", ())
    assert candidates(find_symbol("demo", context(as_of=DAY)))[0]["dataset"] == "demo (synthetic)"
    assert not home.exists()


def test_a_function_may_give_the_dataset(install: Install, dataset: Make, context: Context) -> None:
    install("demo", dataset)
    assert get_quote("DEMO", context(as_of=DAY)).as_of == "2024-01-03"


def test_the_user_s_own_prices_hide_a_package_s_also_where_they_begin_later(
    install: Install, dataset: Make, context: Context, load: Load
) -> None:
    install("demo", dataset())
    load("Date,Close\n2024-06-03,7\n", symbol="DEMO", facts=Facts(name="Mine"))
    assert get_quote("DEMO", context(as_of=date(2024, 6, 3))).sources[0].kind == "file"
    with pytest.raises(ToolError, match="UNKNOWN_SYMBOL"):
        get_quote("DEMO", context(as_of=DAY))
    assert candidates(find_symbol("DEMO", context(as_of=DAY))) == []
    assert [found["name"] for found in candidates(find_symbol("DEMO", context()))] == ["Mine"]


def test_where_the_user_s_own_prices_answer_no_package_is_even_imported(
    install: Install, context: Context, load: Load
) -> None:
    def explode() -> Dataset:
        raise AssertionError

    install("demo", explode)
    load(PRICES)
    assert get_quote("ACME", context(as_of=DAY)).warnings == ("the import did not say the currency",)
    assert any("demo" in line for line in find_symbol("ACME", context()).warnings)


def _exits() -> Dataset:
    raise SystemExit(3)


@pytest.mark.parametrize(
    ("broken", "reason"),
    [
        (42, "is not a Dataset"),
        (_exits, "SystemExit: 3"),
        (Dataset(name="x", files=(), licence="", kind="package"), "it has no files"),
        (
            Dataset(name="x", files=(DatasetFile(path=Path("/nowhere.csv"), symbol="A"),), licence="", kind="package"),
            "nowhere.csv: cannot be read",
        ),
    ],
)
def test_a_broken_package_spoils_nothing_and_is_named_once(
    install: Install, dataset: Make, context: Context, broken: object, reason: str
) -> None:
    install("awful", broken)
    install("demo", dataset())
    result = get_quote("DEMO", context(as_of=DAY))
    assert [line for line in result.warnings if "awful" in line and reason in line] == list(result.warnings)
    assert len(result.warnings) == 1
    with pytest.raises(ToolError, match=r"UNKNOWN_SYMBOL: .*candidates: DEMO .*awful.*do not estimate"):
        get_quote("NOPE", context(as_of=DAY))
    code, out, err = cli("list")
    assert (code, out.count("\n"), err.count("data of awful")) == (0, 2, 1)
    assert cli("check")[0] == 0


def test_a_bad_row_is_named_and_makes_its_package_unusable_as_a_whole(
    install: Install, dataset: Make, context: Context
) -> None:
    install("bad", dataset("Date,Close\n2024-01-02,100\n2024-01-03,-1\n"))
    with pytest.raises(ToolError, match=r"NO_DATA: .*bad cannot be used: DEMO\.csv:3: close -1 is not above zero.*"):
        get_quote("DEMO", context(as_of=DAY))


def test_the_first_of_two_packages_with_a_symbol_answers_for_it(
    install: Install, dataset: Make, context: Context
) -> None:
    install("b", dataset(name="second"))
    install("a", dataset(name="first"))
    assert [found["dataset"] for found in candidates(find_symbol("DEMO", context()))] == ["first (synthetic)"]


def test_the_list_says_where_each_symbol_is_from(install: Install, dataset: Make, home: Path, load: Load) -> None:
    install("demo", dataset())
    code, out, err = cli("list")
    assert (code, err) == (
        0,
        "No prices of your own are stored yet: finclaw data import FILE --symbol SYMBOL --currency USD --adjustment none\n",
    )
    row = "DEMO DEMO Inc USD 2024-01-02 2024-01-03 2 DEMO.csv from demo (synthetic)"
    assert [line.split() for line in out.splitlines()[1:]] == [row.split()]
    load(PRICES)
    assert cli("list")[1].splitlines()[1].split() == ["ACME", "-", "-", "2024-01-02", "2024-01-03", "2", "prices.csv"]
    assert cli("check", "demo") == (0, "", "1 instrument checked, 0 findings.\n")


def test_what_is_odd_in_a_package_is_told_and_is_an_error_only_where_it_was_named(
    install: Install, dataset: Make, home: Path
) -> None:
    install("demo", dataset("Date,Close\n" + "".join(f"2024-01-{day:02},10\n" for day in range(1, 9))))
    code, out, _ = cli("check")
    assert (code, "stale" in out) == (0, True)
    assert cli("check", "demo")[0] == 1


def test_calls_of_the_same_turn_may_come_from_several_threads(
    install: Install, dataset: Make, context: Context
) -> None:
    made: list[Dataset] = []

    def once() -> Dataset:
        made.append(dataset())
        return made[0]

    install("demo", once)
    with ThreadPoolExecutor(8) as pool:
        calls = [pool.submit(get_quote, "DEMO", context(as_of=DAY)) for _ in range(24)]
        assert {call.result().as_of for call in calls} == {"2024-01-03"}
    assert len(made) == 1


def test_prices_come_as_stored_by_default_and_say_what_they_are(context: Context, load: Load) -> None:
    load(PRICES, adjustment="total")
    assert get_price_history("ACME", context(as_of=DAY)).adjustment == "split+dividend"
    with pytest.raises(ToolError, match=r"BAD_INPUT: .*ask for adjustment total"):
        get_price_history("ACME", context(as_of=DAY), adjustment="none")
    load(PRICES, symbol="OTHER")
    assert get_price_history("OTHER", context(as_of=DAY)).adjustment == "unstated"


def test_the_change_is_given_only_where_prices_are_comparable(context: Context, load: Load) -> None:
    load("Date,Close,Split\n2024-01-02,100,0\n2024-01-03,52,2\n", adjustment="none")
    raw = get_price_history("ACME", context(as_of=DAY))
    assert "change" not in raw.data["summary"]  # type: ignore[index]
    assert any("split 2 on 2024-01-03" in warning for warning in raw.warnings)
    summary = get_price_history("ACME", context(as_of=DAY), adjustment="split").data["summary"]  # type: ignore[index]
    assert (summary["change"], summary["change_fraction"]) == ("2", 0.04)
