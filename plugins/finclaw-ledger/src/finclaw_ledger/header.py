"""Which row of a file is its header under a profile, and which column plays which role."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from finclaw_cli.sdk.render import bounded
from finclaw_cli.sdk.tabular import DELIMITERS, FileProblem, Row, column_key, match_columns
from finclaw_ledger.blocks import Block, row_blocks
from finclaw_ledger.currencies import named_currency, without_currencies
from finclaw_ledger.names import shown_name
from finclaw_ledger.profile import ROLES, Profile
from finclaw_ledger.textfile import RawFile, first_rows

_PREAMBLE = 60
_HEAD = 4_000
_LONGEST_DAY = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """A file under a profile: where each role stands in the rows after the header, and the rows that are bookings."""

    profile: Profile
    encoding: str
    delimiter: str
    header_line: int
    header: tuple[str, ...]
    at: dict[str, int]
    blocks: list[Block] = field(default_factory=list)
    fits: int = 0
    """How many of the first rows have a date and an amount in the columns of a file without a header."""
    currency: str | None = None
    """The currency that the name of the column of amounts has, as `Amount (EUR)`."""

    @property
    def score(self) -> tuple[int, int, int]:
        """How many names of a header that the profile demands are there, how many columns it knows, and `fits`."""
        keys = {column_key(name) for name in self.header}
        demanded = [names for names in self.profile.header if all(column_key(name) in keys for name in names)]
        return max(map(len, demanded), default=0), self.known, self.fits

    @property
    def known(self) -> int:
        """How many columns of the file the profile knows."""
        return len(set(self.at.values()))

    def cell(self, cells: list[str], role: str) -> str:
        """The cell of a role; "" where the file or the row has none."""
        index = self.at.get(role)
        return cells[index].strip() if index is not None and index < len(cells) else ""

    def rows(self) -> Iterator[Row]:
        """Each row that is a booking."""
        for block in self.blocks:
            yield from block.rows()

    def columns(self, role: str) -> Iterator[list[str]]:
        """The cells of a role in each block."""
        for block in self.blocks:
            yield list(map(str.strip, block.column(self.at.get(role))))

    def first_lines(self, block: Block, role: str) -> dict[str, int]:
        """Each cell that a role has in a block, with the first line that it is in."""
        if role not in self.at:
            return {}
        return dict(zip(map(str.strip, reversed(block.column(self.at[role]))), reversed(block.lines), strict=True))


def blocks_below(raw: RawFile, layout: Layout) -> Iterator[Block]:
    """All rows of a file that are below its header.

    Raises:
        FileProblem: the file cannot be split into cells.
    """
    for block in row_blocks(raw.text(layout.encoding), layout.delimiter):
        if block.lines[0] > layout.header_line:
            yield block
        elif rows := [row for row in block.rows() if row[0] > layout.header_line]:
            yield Block.of_rows(rows)


def opening_of(raw: RawFile, profile: Profile, encoding: str | None = None) -> Layout:
    """Find the header among the first rows of the file.

    Raises:
        FileProblem: the file cannot be split into cells, or no row has the profile's columns.
    """
    used = raw.encoding([encoding] if encoding else profile.encoding)
    head = raw.text(used).read(_HEAD)
    best: Layout | None = None
    # Messages, since an exception keeps the frames of all callers, and so the whole file, until cycles are collected.
    problems: list[tuple[int, str]] = []
    for delimiter in (profile.delimiter,) if profile.delimiter else DELIMITERS:
        try:
            rows = first_rows(raw.text(used), delimiter, _PREAMBLE)
        except FileProblem as error:
            problems.append((head.count(delimiter), str(error)))
            continue
        found = _in_rows(rows, profile, used, delimiter)
        if found is not None and (best is None or found.score > best.score):
            best = found
    if best is None:
        # Quotation marks are misplaced for each delimiter that is not the file's: its own occurs most often.
        most = max((count for count, _ in problems), default=0)
        is_own = most > max((head.count(one) for one in DELIMITERS), default=0) // 2
        own = next((why for count, why in problems if is_own and count == most), None)
        raise FileProblem(own or f"no header of profile {profile.name!r} ({_wanted(profile)})")
    return best


def _wanted(profile: Profile) -> str:
    needed = [role for role in ("date", "amount", "debit", *profile.required) if role in profile.columns]
    return ", ".join(f"{role}: {bounded(' | '.join(profile.columns[role][:4]), 80)}" for role in dict.fromkeys(needed))


def _in_rows(rows: list[Row], profile: Profile, encoding: str, delimiter: str) -> Layout | None:
    if not profile.has_header:
        return numbered(rows, profile, encoding, delimiter)
    for line, cells in rows:
        header = tuple(cell.strip() for cell in cells)
        at = _roles(header, profile)
        if _is_enough(at, profile) and _is_demanded(header, profile):
            money = next((header[at[role]] for role in ("amount", "debit") if role in at), "")
            return Layout(
                profile=profile, encoding=encoding, delimiter=delimiter, header_line=line, header=header, at=at,
                currency=named_currency(money),
            )  # fmt: skip
    return None


def _is_demanded(header: Sequence[str], profile: Profile) -> bool:
    keys = {column_key(name) for name in header}
    return not profile.header or any(all(column_key(name) in keys for name in names) for names in profile.header)


def numbered(rows: list[Row], profile: Profile, encoding: str, delimiter: str) -> Layout | None:
    """The layout of a file whose columns have numbers; it begins with the first row that has a date and an amount."""
    at = {str(role): int(names[0]) - 1 for role, names in profile.columns.items() if names}
    fitting = [line for line, cells in rows if len(cells) > max(at.values()) and _is_booking(cells, at)]
    if not fitting:
        return None
    width = max(len(cells) for _, cells in rows)
    return Layout(
        profile=profile, encoding=encoding, delimiter=delimiter, header_line=fitting[0] - 1, at=at,
        header=tuple(str(number) for number in range(1, width + 1)), fits=len(fitting),
    )  # fmt: skip


def _is_booking(cells: list[str], at: dict[str, int]) -> bool:
    """Whether a row has a short text with digits where its date is, and digits where one of its amounts is."""
    day = cells[at["date"]].strip()
    money = [cells[at[role]] for role in ("amount", "debit", "credit") if role in at]
    return len(day) <= _LONGEST_DAY and day[:1].isdigit() and any(any(map(str.isdigit, cell)) for cell in money)


def _is_enough(at: dict[str, int], profile: Profile) -> bool:
    if "date" not in at or any(role not in at for role in profile.required):
        return False
    trades = {"symbol", "quantity", "price"} <= at.keys()
    return "amount" in at or {"debit", "credit"} <= at.keys() or trades


def _roles(header: Sequence[str], profile: Profile) -> dict[str, int]:
    columns: dict[str, list[str]] = {str(role): names for role, names in profile.columns.items()}
    # Messages name columns, and a file without a header has account numbers there.
    names = [shown_name(cell) for cell in _one_currency(header, columns)]
    return match_columns(without_currencies(names), {role: columns.get(role, []) for role in ROLES})


def _one_currency(header: Sequence[str], columns: dict[str, list[str]]) -> list[str]:
    """The header with one column of currencies: where there are several of a name, the one beside the amounts."""
    keys = [column_key(name) for name in without_currencies(header)]
    wanted = {column_key(name) for name in columns.get("currency", [])}
    amounts = {column_key(name) for name in columns.get("amount", [])}
    kept = list(header)
    for key in wanted:
        places = [at for at, found in enumerate(keys) if found == key]
        beside = [at for at in places if at and keys[at - 1] in amounts]
        if len(places) > 1 and len(beside) == 1:
            kept = ["" if at in places and at != beside[0] else name for at, name in enumerate(kept)]
    return kept
