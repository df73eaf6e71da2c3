"""Which column of a file is what, by the names that feeds, brokers and sites give them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from finclaw_cli.sdk.tabular import FileProblem, match_columns, missing_column

# In order of preference: where a file has both `Close` and `Price`, the close is the close. Where it has `Stuecke`
# beside `Volumen`, as that of ariva.de, the volume in shares is `Stuecke`; turnover in money (`Umsatz`) is no volume.
# Names of Investing.com, Stooq, KRX, Börse Frankfurt, ariva.de, Nasdaq, Yahoo, Alpha Vantage and Tiingo.
FIELDS: dict[str, tuple[str, ...]] = {
    "date": (
        *("date", "datetime", "timestamp", "day", "datum", "tradedate", "tradingdate", "일자", "날짜", "time"),
        *("data", "fecha", "дата", "日付け", "日付", "index"),
    ),
    "open": (
        *("open", "openprice", "eröffnung", "erster", "시가", "eröffn", "오픈", "otwarcie", "apertura", "abertura"),
        *("ouv", "ouverture", "откр", "始値"),
    ),
    "high": (
        *("high", "highprice", "hoch", "고가", "tageshoch", "najwyzszy", "najwyższy", "máximo", "máxima", "massimo"),
        *("plushaut", "макс", "高値"),
    ),
    "low": (
        *("low", "lowprice", "tief", "저가", "tagestief", "najnizszy", "najniższy", "mínimo", "mínima", "minimo"),
        *("plusbas", "мин", "安値"),
    ),
    "close": (
        *("close", "closeprice", "closelast", "last", "price", "schlusskurs", "schluss", "종가", "현재가", "zuletzt"),
        *("zamkniecie", "zamknięcie", "último", "ultimo", "dernier", "цена", "終値"),
    ),
    "adj_close": ("adjclose", "adjustedclose", "adjusted", "closeadj", "수정종가"),
    "volume": (
        *("volume", "vol", "stuecke", "stücke", "umsatzstück", "umsatzinstück", "volumen", "거래량", "wolumen"),
        *("volumenstück", "объём", "出来高"),
    ),
    "dividend": ("dividend", "dividends", "divcash", "dividendamount"),
    "split": ("stocksplits", "stocksplit", "split", "splits", "splitratio", "splitfactor", "splitcoefficient"),
    "symbol": ("symbol", "ticker", "종목코드"),
}
PRICES = ("open", "high", "low", "close", "adj_close")
VALUES = (*PRICES, "volume", "dividend", "split")


@dataclass(frozen=True, slots=True)
class Columns:
    """Where each known value stands in a row, and the headers that mean nothing to us."""

    width: int
    at: dict[str, int]
    ignored: tuple[str, ...]

    def numeric(self) -> list[tuple[str, int]]:
        """The columns that hold numbers, with their positions."""
        return [(name, self.at[name]) for name in VALUES if name in self.at]


def map_columns(header: Sequence[str], *, has_symbol: bool = True) -> Columns:
    """Find the known columns of a header.

    Args:
        header: the names in the file.
        has_symbol: whether the symbol is given; otherwise a column of names may have it.

    Raises:
        FileProblem: no date or no price column, or two columns of the same name.
    """
    symbol = FIELDS["symbol"] if has_symbol else (*FIELDS["symbol"], "name")
    at = match_columns(header, {**FIELDS, "symbol": symbol})
    if "date" not in at and header.count("") == 1 and not header[0]:
        at["date"] = 0  # as pandas writes the dates of a table without a name
    missing = [what for name, what in (("date", "date"), ("close", "close or price")) if name not in at]
    if missing:
        problem = missing_column(" and no ".join(missing), header)
        wide = "close" not in at and len(header) > 1 and not {"open", "high", "low", "adj_close"} & set(at)
        raise FileProblem(f"{problem}; where each column has the closes of a symbol, say --wide") if wide else problem
    used = set(at.values())
    ignored = tuple(cell for index, cell in enumerate(header) if index not in used and cell.strip())
    return Columns(len(header), at, ignored)
