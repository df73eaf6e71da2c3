"""Which rows of a CSV file are bookings: not totals, nor what is pending, declined or taken back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from finclaw_cli.sdk.tabular import Row
from finclaw_ledger.blocks import Block
from finclaw_ledger.header import Layout

# In the words of public exports: Revolut, PayPal, Wise, Venmo, American and British cards; German banks.
NOT_BOOKED = frozenset(
    {
        "pending", "processing", "reverted", "reversed", "declined", "failed", "cancelled", "canceled", "denied",
        "rejected", "voided", "expired", "removed", "placed", "vorgemerkt", "umsatz vorgemerkt", "ausstehend",
        "abgelehnt", "storniert", "abgebrochen", "승인취소", "취소", "대기",
    }
)  # fmt: skip
_MOST = 20
_OF_BOOKING = ("date", "amount", "debit", "credit", "payee", "memo", "symbol", "quantity")


@dataclass(slots=True)
class Booked:
    """The rows that are bookings, and what was left out."""

    blocks: list[Block] = field(default_factory=list)
    trailers: list[int] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)
    lines: list[int] = field(default_factory=list)
    statuses: Counter[str] = field(default_factory=Counter)

    def notes(self) -> list[str]:
        """How rows were distinguished."""
        found = []
        if self.trailers:
            found.append(f"lines left out as no bookings: {_listed(self.trailers)}")
        if self.statuses:
            counts = ", ".join(f"{count} {word}" for word, count in sorted(self.statuses.items()))
            found.append(f"status: {counts}")
        return found

    def warnings(self) -> list[str]:
        """The rows whose status means that they are not booked."""
        if not self.left_out:
            return []
        counts = ", ".join(f"{count} {word}" for word, count in sorted(self.left_out.items()))
        return [f"rows that are not booked are left out: {counts} (lines {_listed(self.lines)})"]


def _listed(lines: list[int]) -> str:
    more = f" and {len(lines) - _MOST} more" if len(lines) > _MOST else ""
    return ", ".join(map(str, lines[:_MOST])) + more


def booked_rows(layout: Layout, blocks: Iterable[Block]) -> Booked:
    """Tell the bookings of a file from its other rows."""
    found = Booked()
    not_booked = NOT_BOOKED | {word.casefold() for word in layout.profile.left_out}
    trailers = tuple(word.casefold() for word in layout.profile.trailer)
    # A row whose date begins with a digit is a booking where there is no status.
    is_dated = "status" not in layout.at and not any(word[:1].isdigit() for word in not_booked)
    at = layout.at["date"]
    for block in blocks:
        if is_dated and all(cell[:1].isdigit() for cell in block.column(at)):
            found.blocks.append(block)
        elif rows := list(_booked(layout, block, found, (not_booked, trailers))):
            found.blocks.append(Block.of_rows(rows))
    return found


def _booked(
    layout: Layout, block: Block, found: Booked, words: tuple[frozenset[str], tuple[str, ...]]
) -> Iterator[Row]:
    """The rows of a block that are bookings; the others are noted as left out."""
    not_booked, trailers = words
    for line, cells in block.rows():
        status = _status(layout, cells, not_booked)
        if status in not_booked:
            found.left_out[status] += 1
            found.lines.append(line)
        elif _is_trailer(layout, cells, trailers):
            found.trailers.append(line)
        else:
            yield line, cells
            if status:
                found.statuses[status] += 1


def _status(layout: Layout, cells: list[str], not_booked: Iterable[str]) -> str:
    status = layout.cell(cells, "status").casefold()
    day = layout.cell(cells, "date").casefold()
    # Some cards have the word in place of the date.
    return day if day in not_booked else status


def _is_trailer(layout: Layout, cells: list[str], words: tuple[str, ...]) -> bool:
    day = layout.cell(cells, "date")
    if day[:1].isdigit():
        return False
    if not any(layout.cell(cells, role) for role in _OF_BOOKING):
        return True
    filled = [cell.strip().casefold() for cell in cells if cell.strip()]
    # A booking has a date and an amount; a trailer has words where the date would be, or is one sentence.
    if len(filled) == 1:
        return True
    return bool(words) and filled[0].startswith(words) and not (day or filled[0])[:1].isdigit()
