"""Which column of a file is what, by the names that feeds, brokers and sites give them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from finclaw_cli.sdk.tabular import match_columns, missing_column

# In order of preference: where a file has both `Close` and `Price`, the close is the close.
_NAMES: dict[str, tuple[str, ...]] = {
    "date": ("date", "datetime", "timestamp", "day", "datum", "tradedate", "tradingdate", "일자", "날짜", "time"),
    "open": ("open", "openprice", "eröffnung", "erster", "시가"),
    "high": ("high", "highprice", "hoch", "고가"),
    "low": ("low", "lowprice", "tief", "저가"),
    "close": ("close", "closeprice", "closelast", "last", "price", "schlusskurs", "schluss", "종가", "현재가"),
    "adj_close": ("adjclose", "adjustedclose", "adjusted", "closeadj", "수정종가"),
    "volume": ("volume", "vol", "volumen", "거래량"),
    "dividend": ("dividend", "dividends", "divcash"),
    "split": ("stocksplits", "stocksplit", "split", "splits", "splitratio", "splitfactor"),
    "symbol": ("symbol", "ticker", "종목코드"),
}
_PRICES = ("open", "high", "low", "close", "adj_close")
NUMERIC = (*_PRICES, "volume", "dividend", "split")


@dataclass(frozen=True, slots=True)
class Columns:
    """Where each known value stands in a row, and the headers that mean nothing to us."""

    width: int
    at: dict[str, int]
    ignored: tuple[str, ...]

    def numeric(self) -> list[tuple[str, int]]:
        """The columns that hold numbers, with their positions."""
        return [(name, self.at[name]) for name in NUMERIC if name in self.at]


def map_columns(header: Sequence[str]) -> Columns:
    """Find the known columns of a header.

    Raises:
        FileProblem: no date or no price column, or two columns of the same name.
    """
    at = match_columns(header, _NAMES)
    missing = [what for name, what in (("date", "date"), ("close", "close or price")) if name not in at]
    if missing:
        raise missing_column(" and no ".join(missing), header)
    used = set(at.values())
    ignored = tuple(cell for index, cell in enumerate(header) if index not in used and cell.strip())
    return Columns(len(header), at, ignored)
