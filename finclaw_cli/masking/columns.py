"""The column and the row that a number stands in, when it stands in a table."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from finclaw_cli.masking.names import counts_things, is_explicit, is_tender, joined_name, kind_of_name
from finclaw_cli.masking.reading import Reading
from finclaw_cli.masking.vocabulary import OTHER
from finclaw_cli.masking.words import label_in

# Names that say nothing about what they name.
GENERIC = frozenset(
    str.split(
        """
        number num no nr value val data text note notes memo detail details payment description desc field content info
        message method instrument source comment input x pay result string sample test
        번호 내용 메모 비고 값 적요 결제수단
        """
    )
)
_EXPIRY = re.compile(r"\b(?:exp|expiry|expires|expiration|cvv|cvc|cardholder|valid)|유효기간|카드")
_LIST = re.compile(r"\(([^()]{1,500})\)")
_SQL = re.compile(r"\s*(?:copy|insert)\s", re.IGNORECASE)
_DELIMITERS = ("|", "\t", ";", ",")
_QUOTED = re.compile(r'"[^"]*"')
_GAP = re.compile(r" {2,}|\t")
_MANY_DIGITS = re.compile(r"[0-9]{6}|[0-9]{2}-[0-9]{4}")
_DATE = re.compile(r"[0-9]/[0-9]")
_RULER = re.compile(r"[\s|:+=-]*")
_REACH, _LINES = 2000, 6
# With fewer names a line may as well be a sentence with a comma; with more words a name is none.
_LEAST_NAMES, _MOST_WORDS = 3, 4
_NEAR_GAP = 14


class Column(NamedTuple):
    """What is known of a field: its column's name, its row's first field; whether there is a table, and a header.

    `is_even`: the header has short names, as many as the row has fields.
    """

    name: str = ""
    row: str = ""
    has_expiry: bool = False
    is_table: bool = False
    has_header: bool = False
    is_even: bool = False


class Columns:
    """Finds the columns of numbers that are asked for in their order; a table's header is looked for once."""

    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        self._view = reading.view
        self._block = 0
        self._seen = 0

    def at(self, start: int, end: int) -> Column:
        """The column of a number."""
        view = self._view
        lowest = 0
        highest = len(view)
        if self._reading.is_json:
            lowest, highest = self._reading.string_around(start)
        line = max(lowest, view.rfind("\n", max(lowest, start - _REACH), start) + 1)
        stop = view.find("\n", end, min(highest, end + _REACH))
        stop = stop if stop >= 0 else min(highest, end + _REACH)
        if stop - line > _REACH:
            return Column()  # no table has rows this long
        row = view[line:stop]
        self._move(line, lowest)
        header = self._header(line)
        return _column(header, row, start - line)

    def _move(self, line: int, lowest: int) -> None:
        """To the block of lines that a line is in: what is after the last blank one."""
        if line < self._seen:
            return
        blank = self._view.rfind("\n\n", max(self._seen - 2, lowest), line)
        self._block = max(self._block, lowest, blank + 2 if blank >= 0 else 0)
        self._seen = line

    def _header(self, line: int) -> str:
        """The first lines of a block, before a line; also those before the only blank line above it."""
        return self._view[self._block : min(line, self._block + _REACH)]


@lru_cache(maxsize=1024)
def _column(above: str, row: str, offset: int) -> Column:
    plain = _QUOTED.sub(_hidden, row)
    delimiter = _delimiter(plain, offset)
    if not delimiter:
        return _aligned(above, row, offset)
    index, fields = plain[:offset].count(delimiter), row.strip(" |").split(delimiter)
    first = fields[0].strip(" \"'`*|") if index else ""
    for line in above.split("\n")[:_LINES]:
        names = [name.strip(" \t\r\"'*`\ufeff").lower() for name in _names(line, delimiter)]
        if index < len(names) > 1 and not _MANY_DIGITS.search(line):
            name = names[index]
            is_amount = is_tender(name, names) or counts_things(name)
            headed = _headed("amount" if is_amount else name, first, line)
            listed = names if _SQL.match(line) else line.strip(" |").split(delimiter)
            is_even = len(listed) == len(fields) and (listed is names or _is_short(listed, line))
            return headed._replace(is_even=is_even)
    is_ledger = len(_MANY_DIGITS.findall(row)) > 1 + bool(_MANY_DIGITS.search(row[offset + 6 : offset + 16]))
    return Column("amount" if is_ledger else "", first, is_table=plain.count(delimiter) > 1)


def _is_short(names: list[str], header: str) -> bool:
    """Whether the names of a header are short enough to be names."""
    is_prose = ", " in header and len(names) < _LEAST_NAMES
    return not is_prose and all(len(name.split()) <= _MOST_WORDS or name.endswith("?") for name in names)


def _headed(name: str, row: str, header: str) -> Column:
    return Column(name, row, bool(_EXPIRY.search(header.lower())), is_table=True, has_header=True)


def _hidden(quoted: re.Match[str]) -> str:
    return "_" * len(quoted.group())


def _delimiter(row: str, offset: int) -> str:
    """What separates the fields of a row: what stands next to the number, or else what there is most of."""
    near = row[:offset].rstrip()[-1:]
    if near in _DELIMITERS:
        return near
    if row[:offset].endswith("  ") or (not near and "  " in row[offset : offset + _NEAR_GAP]):
        return ""
    following = row[offset:].lstrip("0123456789_\"' ")[:1]
    if following and following in _DELIMITERS:
        return following
    most = max("|\t;,", key=row.count)
    return most if most in row else ""


def _names(line: str, delimiter: str) -> list[str]:
    if _SQL.match(line):
        listed = _LIST.search(line)
        return listed.group(1).split(",") if listed else []
    return [] if _RULER.fullmatch(line) else line.split(delimiter)


def _aligned(above: str, row: str, offset: int) -> Column:
    """A table whose columns are aligned with spaces: the name that stands over the number."""
    end = row.find(" ", offset)
    end = len(row) if end < 0 else end
    first = _GAP.split(row.strip())[0] if offset else ""
    # The header is the line with the most names: those above it are titles.
    lines = sorted(above.split("\n")[:_LINES], key=lambda line: -len(_GAP.split(line.strip())))
    for line in lines:
        if _MANY_DIGITS.search(line) or _DATE.search(line) or not _GAP.search(line.strip()):
            continue
        if any(len(name.split()) > _MOST_WORDS for name in _GAP.split(line)):
            continue  # a title
        position = 0
        for name in _GAP.split(line):
            begin = line.find(name, position)
            position = begin + len(name)
            if name and begin < end and position > offset:
                return _headed(name.strip().lower(), first, line)._replace(is_even=True)
    return Column(row=first, is_table=True)


_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[_./-]")
_ENDS_OTHER = re.compile(
    r"(?:deposits?|balances?|amounts?|amt|totals?|assets|revenues?|receivables?|payables?|loans?|liabilities|spend|spending|"
    r"volumes?|turnover|cap|notional|fees?|income|sales|costs?|equity|shares|units|bytes|nanos|millis|micros|timestamp|"
    r"count|value|price|limit|cash|debt|profit|^(?:debits?|credits?|dr\.?|cr\.?|차변|대변)|(?<![a-z])(?:ns|ms|us|ts|id|ids|ref))$"
)


@lru_cache(maxsize=4096)
def says_other(name: str) -> bool:
    """Whether a name is that of a quantity, of money in the books, or of some number that is not private."""
    if name.lower() in GENERIC or kind_of_name(name) in {"card", "account"}:
        return False
    words = _HUMP.sub(" ", name).lower()
    label = label_in(words)
    return bool(label and label.kind == OTHER) or bool(_ENDS_OTHER.search(words)) or _is_number_of(name)


def _is_number_of(name: str) -> bool:
    return joined_name(name).endswith(("id", "no", "num", "number")) and not says_card(name)


_CARDS = frozenset({"card", "cards", "카드"})
_CARD_NAME = re.compile(
    r"(?:[a-z]+ ){0,3}cards?(?: ?(?:numbers?|no|num|nr|#|used|on file|pan|id|info|details?))*\.?(?: \([^()]*\))?|"
    r"(?:[a-z]+ )?pan|[가-힣 ]*카드(?: ?(?:번호|정보|no))*(?: ?\([^()]*\))?"
)


@lru_cache(maxsize=4096)
def says_card(name: str) -> bool:
    """Whether a name speaks of a card, and of nothing that is only counted for cards."""
    if kind_of_name(name) == "card":
        return True
    return bool(_CARD_NAME.fullmatch(_HUMP.sub(" ", name).lower().strip()))


@lru_cache(maxsize=4096)
def is_card_number(name: str) -> bool:
    """Whether a name is that of the number of a card, beyond doubt: a row of cards may as well hold their revenue."""
    return kind_of_name(name) == "card" and is_explicit(name) and name.strip().lower() not in _CARDS
