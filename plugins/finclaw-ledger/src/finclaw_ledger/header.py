"""Which row of a file is its header under a profile, and which column plays which role."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from finclaw_cli.sdk.render import bounded
from finclaw_cli.sdk.tabular import DELIMITERS, FileProblem, Row, decode, match_columns
from finclaw_ledger.names import shown_name
from finclaw_ledger.profile import ROLES, Profile
from finclaw_ledger.textfile import RawFile, bounded_rows

_PREAMBLE = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """A file under a profile: its rows after the header, and where each role stands in them."""

    profile: Profile
    encoding: str
    delimiter: str
    header_line: int
    header: tuple[str, ...]
    at: dict[str, int]
    rows: list[Row]

    @property
    def score(self) -> int:
        """How many columns of the file the profile knows."""
        return len(set(self.at.values()))

    def cell(self, cells: list[str], role: str) -> str:
        """The cell of a role; "" where the file or the row has none."""
        index = self.at.get(role)
        return cells[index].strip() if index is not None and index < len(cells) else ""


def layout_of(raw: RawFile, profile: Profile, encoding: str | None = None) -> Layout:
    """Find the header and split the whole file.

    Raises:
        FileProblem: the file cannot be split into cells, or no row has the profile's columns.
    """
    return whole(raw, opening_of(raw, profile, encoding))


def whole(raw: RawFile, opening: Layout) -> Layout:
    """The layout with all rows of the file.

    Raises:
        FileProblem: the file cannot be split into cells.
    """
    text, _ = decode(raw.content, [opening.encoding])
    rows = bounded_rows(text, opening.delimiter)
    return replace(opening, rows=[row for row in rows if row[0] > opening.header_line])


def opening_of(raw: RawFile, profile: Profile, encoding: str | None = None) -> Layout:
    """Find the header among the first rows of the file.

    Raises:
        FileProblem: the file cannot be split into cells, or no row has the profile's columns.
    """
    text, used = decode(raw.content, [encoding] if encoding else profile.encoding)
    best: Layout | None = None
    problem: FileProblem | None = None
    for delimiter in (profile.delimiter,) if profile.delimiter else DELIMITERS:
        try:
            rows = bounded_rows(text, delimiter, _PREAMBLE)
        except FileProblem as error:
            problem = error
            continue
        found = _in_rows(rows, profile, used, delimiter)
        if found is not None and (best is None or found.score > best.score):
            best = found
    if best is None:
        raise problem or FileProblem(f"no header of profile {profile.name!r} ({_wanted(profile)})")
    return best


def _wanted(profile: Profile) -> str:
    needed = [role for role in ("date", "amount", "debit", *profile.required) if role in profile.columns]
    return ", ".join(f"{role}: {bounded(' | '.join(profile.columns[role][:4]), 80)}" for role in dict.fromkeys(needed))


def _in_rows(rows: list[Row], profile: Profile, encoding: str, delimiter: str) -> Layout | None:
    for index, (line, cells) in enumerate(rows):
        at = _roles(cells, profile)
        if _is_enough(at, profile):
            header = tuple(cell.strip() for cell in cells)
            return Layout(
                profile=profile, encoding=encoding, delimiter=delimiter, header_line=line, header=header, at=at,
                rows=rows[index + 1 :],
            )  # fmt: skip
    return None


def _is_enough(at: dict[str, int], profile: Profile) -> bool:
    if "date" not in at or any(role not in at for role in profile.required):
        return False
    trades = {"symbol", "quantity", "price"} <= at.keys()
    return "amount" in at or {"debit", "credit"} <= at.keys() or trades


def _roles(header: Sequence[str], profile: Profile) -> dict[str, int]:
    columns: dict[str, list[str]] = {str(role): names for role, names in profile.columns.items()}
    # Messages name columns, and a file without a header has account numbers there.
    return match_columns([shown_name(cell) for cell in header], {role: columns.get(role, []) for role in ROLES})
