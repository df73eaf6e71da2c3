"""Stores of every plugin with rows of later days, which can be recognised, or without them."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from finclaw_cli.core.tool import ToolDefinition
from finclaw_cli.testing.tools import run_tool

AS_OF = date(2024, 6, 28)
LATER = date(2024, 7, 10)
# In each number and each text of a later day; no row that may be seen has it.
MARK, WORD = "77701", "MORROW"
CASH = {"starting_cash": "1000000", "shorting": True, "repeat_window_s": 0}
STATEMENT = "Date,Description,Category,Amount,Balance\n"
BEAN_QUERY = """#!{python}
import sys
from pathlib import Path

path, query = sys.argv[-2:]
print("line")
if "#entries" in query:
    print(0)
else:
    print("\\n".join(line.replace(",", ";") for line in Path(path).read_text().splitlines() if line.strip()))
"""


class Stores:
    """A data folder and a workspace; where `later` is not wanted, what is of later days is not in them."""

    def __init__(self, folder: Path, tools: dict[str, ToolDefinition], *, later: bool) -> None:
        self.home, self.workspace = folder / "home", folder / "work"
        self.workspace.mkdir(parents=True)
        self._folder = folder
        self._tools = tools
        self._later = later
        self._prices()
        self._rates_and_series()
        self._filings()
        self._books()
        self._orders()
        self._files()

    def call(self, name: str, arguments: dict[str, Any], as_of: date | None, session: str = "s") -> str:
        """The content of a call's result, as a model would get it."""
        settings = {"beancount_file": str(self.workspace / "main.beancount")} if name == "ledger_query" else {}
        result = run_tool(
            self._tools[name],
            arguments,
            home=self.home,
            workspace=self.workspace,
            as_of=as_of,
            settings={**settings, **(CASH if name in PAPER else {})},
            session_id=session,
        )
        return result.content

    def _write(self, name: str, rows: list[str], later: list[str]) -> Path:
        path = self._folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("\n".join([*rows, *(later if self._later else [])]) + "\n", encoding="utf-8")
        return path

    def _prices(self) -> None:
        from finclaw_market.importer import ImportOptions, import_files
        from finclaw_market.staging import Facts

        rows = [f"{day},{100 + number % 5},1,0" for number, day in enumerate(weekdays(date(2024, 4, 1), AS_OF))]
        later = [f"{day},{102 + number % 3}.{MARK},1,0" for number, day in enumerate(weekdays(date(2024, 7, 1), LATER))]
        later += [f"2024-07-15,51.{MARK},2,0.{MARK}", f"2024-07-16,52.{MARK},1,0"]
        options = {"facts": Facts(currency="USD", tz="America/New_York"), "adjustment": "none"}
        plant = self._write("plant.csv", ["Date,Close,Stock Splits,Dividends", *rows], later)
        imported = [import_files([plant], self.home, ImportOptions(symbol="PLANT", **options))]  # type: ignore[arg-type]
        # What a service gives today is adjusted for a split of ten for one that came later.
        times = 10 if self._later else 1
        adjusted = [f"{day},{(100 + n % 3) / times:g},1" for n, day in enumerate(weekdays(date(2024, 6, 3), AS_OF))]
        path = self._write(
            "adjusted.csv", ["Date,Close,Stock Splits", *adjusted], ["2024-07-01,11,10", "2024-07-02,12,1"]
        )
        split = {"facts": Facts(currency="USD"), "adjustment": "split"}
        imported.append(import_files([path], self.home, ImportOptions(symbol="ADJUSTED", **split)))  # type: ignore[arg-type]
        if self._later:
            path = self._write("later.csv", ["Date,Close"], [f"2024-07-01,1.{MARK}", f"2024-07-02,1.{MARK}"])
            facts = Facts(currency="USD", name=f"{WORD} Corp")
            imported.append(import_files([path], self.home, ImportOptions(symbol=f"{WORD}CO", facts=facts)))
        assert all(report.imported for report in imported)

    def _rates_and_series(self) -> None:
        from finclaw_market.importer import ImportOptions
        from finclaw_market.kinds import import_kind

        fx = self._write(
            "fx.csv",
            ["date,from,to,rate", "2024-06-27,USD,VND,25000", "2024-06-27,USD,XAF,600"],
            [f"2024-07-01,USD,VND,{MARK}", f"2024-07-01,USD,XPF,{MARK}"],
        )
        series = self._write(
            "series.csv",
            ["series,date,known_from,value", "GDPX,2024-01-01,2024-04-25,1", "GDPX,2024-04-01,2024-06-20,2"],
            [f"GDPX,2024-01-01,2024-07-25,{MARK}", f"{WORD}X,2024-07-01,2024-07-02,{MARK}"],
        )
        for kind, path in (("fx", fx), ("series", series)):
            assert import_kind(kind, [path], self.home, ImportOptions()).imported  # type: ignore[arg-type]

    def _filings(self) -> None:
        from finclaw_filings.importer import ImportOptions, import_paths

        facts = [("Revenues", "2023-12-31", 100, "2024-02-10"), ("Revenues", "2022-12-31", 90, "2023-02-10")]
        paths = [self._facts(1234567, "Plant Corp", facts), self._text("2024-02-10", "risks of anvils")]
        paths.append(self._trade("2024-02-10", "Plant, Peter", 10))
        if self._later:
            facts += [
                ("Revenues", "2023-12-31", 77701, "2024-08-01"),
                (f"{WORD}Tag", "2023-12-31", 77701, "2024-08-01"),
            ]
            paths[0] = self._facts(1234567, "Plant Corp", facts)
            paths.append(self._facts(7654321, f"{WORD} Inc", [("Revenues", "2023-12-31", 77701, "2024-08-01")]))
            paths.append(self._text("2024-08-01", f"risks of {WORD} anvils {MARK}"))
            paths.append(self._trade("2024-08-01", f"{WORD}, Mary", int(MARK)))
        found = list(import_paths(paths, self.home, ImportOptions()))
        assert [one.outcome for one in found] == ["imported"] * len(paths), found

    def _facts(self, cik: int, name: str, facts: list[tuple[str, str, int, str]]) -> Path:
        document: dict[str, Any] = {"cik": cik, "entityName": name, "facts": {"us-gaap": {}}}
        for tag, end, value, filed in facts:
            about = document["facts"]["us-gaap"].setdefault(tag, {"label": tag, "units": {"USD": []}})
            number = f"{cik:010d}-{filed[2:4]}-{filed[5:7]}{filed[8:10]}00"
            row = {"start": f"{end[:4]}-01-01", "end": end, "val": value, "accn": number, "fy": 2023, "fp": "FY"}
            about["units"]["USD"].append({**row, "form": "10-K", "filed": filed})
        path = self._folder / "facts" / f"CIK{cik:010d}.json"
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(document))
        return path

    def _text(self, filed: str, words: str) -> Path:
        return self._submission(filed, "10-K", f"Item 1A. Risk Factors\n\n{words}")

    def _trade(self, filed: str, owner: str, shares: int) -> Path:
        """A Form 4 of an owner about the first company."""
        who = f"<reportingOwner><reportingOwnerId><rptOwnerName>{owner}</rptOwnerName></reportingOwnerId></reportingOwner>"
        amount = (
            f"<transactionAmounts><transactionShares><value>{shares}</value></transactionShares></transactionAmounts>"
        )
        row = f"<nonDerivativeTransaction>{amount}</nonDerivativeTransaction>"
        table = f"<nonDerivativeTable>{row}</nonDerivativeTable>"
        return self._submission(filed, "4", f"<XML>\n<ownershipDocument>{who}{table}</ownershipDocument>\n</XML>")

    def _submission(self, filed: str, form: str, body: str) -> Path:
        """SEC's full submission of one document; a 10-K has the file name of its day."""
        day = filed.replace("-", "")
        serial, name = ("99", day) if form == "10-K" else ("98", f"{day}-{form}")
        head = f"ACCESSION NUMBER:\t\t0001234567-24-{day[4:]}{serial}\nCONFORMED SUBMISSION TYPE:\t{form}\n"
        head += f"FILED AS OF DATE:\t\t{day}\nFILER:\n\tCENTRAL INDEX KEY:\t\t\t0001234567\n"
        document = f"<DOCUMENT>\n<TYPE>{form}\n<TEXT>\n{body}\n</TEXT>\n</DOCUMENT>\n"
        path = self._folder / f"{name}.txt"
        path.write_text(f"<SEC-DOCUMENT>\n<SEC-HEADER>\n{head}</SEC-HEADER>\n{document}</SEC-DOCUMENT>\n")
        return path

    def _books(self) -> None:
        from finclaw_ledger.csvreader import Given
        from finclaw_ledger.importer import Plan, import_raw
        from finclaw_ledger.textfile import read_raw

        giro = self._write(
            "giro.csv",
            [STATEMENT.strip(), "2024-06-03,Pay,Salary,100,100", "2024-06-28,Shop,Food,-10,90"],
            [f"2024-07-02,{WORD} shop,{WORD},-1.{MARK},88.22299"],
        )
        trades = self._write(
            "trades.csv",
            ["Date,Side,Symbol,Quantity,Price,Fee,Amount,Currency", "2024-06-28,Buy,PLANT,10,100,0,-1000,USD"],
            [f"2024-07-02,Sell,PLANT,4,1{MARK},0,4{MARK},USD", f"2024-07-03,Buy,{WORD}CO,{MARK},1,0,-{MARK},USD"],
        )
        given = {"giro": giro, "broker": trades}
        if self._later:
            given[f"{WORD} account"] = self._write(
                "other.csv", [STATEMENT.strip()], [f"2024-07-04,{WORD},{WORD},{MARK},{MARK}"]
            )
        for account, path in given.items():
            plan = Plan(given=Given(account=account, currency="USD", sign="money-out-negative"), write=True)
            assert import_raw(read_raw(path), self.home, plan).wrote

    def _orders(self) -> None:
        buy = {"symbol": "PLANT", "side": "buy"}
        limit = {**buy, "type": "limit", "tif": "gtc"}
        june = date(2024, 6, 27)
        self._order({**buy, "qty": "10"}, june, "first")
        self.cancelled = self._order({**limit, "qty": "1", "limit_price": "50"}, june, "cancelled")
        self._order({**limit, "qty": "2", "limit_price": f"1.{MARK[:2]}"}, june, "open")
        if not self._later:
            return
        self._order({**buy, "qty": f"3.{MARK}"}, LATER, "later")
        assert '"canceled"' in self.call("cancel_order", {"client_order_id": self.cancelled}, LATER)

    def _order(self, arguments: dict[str, str], day: date, session: str) -> str:
        content = self.call("place_order", arguments, day, session)
        return str(json.loads(content)["data"]["client_order_id"])

    def _files(self) -> None:
        for name in ("plant.csv", "giro.csv", "trades.csv"):
            (self.workspace / name).write_text((self._folder / name).read_text())
        (self.workspace / "main.beancount").write_text(
            '2024-01-01 open Assets:Bank\n2024-06-27 * "kept"\n  Assets:Bank  1 USD\n  Income:Salary\n'
            + (f"2024-07-01 price PLANT {MARK} USD\n2024-07-02 close Assets:Bank\n" if self._later else "")
        )


PAPER = frozenset(
    {"get_account", "get_positions", "list_orders", "preview_order", "place_order", "cancel_order", "reconcile"}
)


def weekdays(first: date, last: date) -> Iterator[date]:
    for step in range((last - first).days + 1):
        day = first + timedelta(days=step)
        if day.weekday() < 5:
            yield day


def bean_query(folder: Path) -> Path:
    """A stand-in for `bean-query` that answers with what it reads; the folder of the program."""
    folder.mkdir()
    program = folder / "bean-query"
    program.write_text(BEAN_QUERY.format(python=sys.executable))
    program.chmod(0o755)
    return folder
