"""Which way money went where a file has one column of amounts. It is never guessed.

Known from, in this order: the option or the profile; the words of a column, such as debit and credit; running balances,
which follow from the amounts in one way only; amounts of which some are negative. Otherwise the file is refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal
from itertools import islice, pairwise
from typing import Literal

from finclaw_cli.sdk.render import quoted
from finclaw_cli.sdk.tabular import BadCell, FileProblem, Mark, Row, parse_amount
from finclaw_ledger.header import Layout
from finclaw_ledger.numbers import EXACT, plus
from finclaw_ledger.profile import Profile

Sign = Literal["money-out-negative", "money-out-positive"]
_PROOF_ROWS = 2_000
_MINUS = frozenset("-−–(")
_DIGITS = frozenset("123456789")
OPTION = "--sign money-out-positive where the amounts are money out, --sign money-out-negative where they are money in"


@dataclass(frozen=True, slots=True, kw_only=True)
class Direction:
    """How the amounts of one file are signed."""

    by_words: bool = False
    is_out_positive: bool = False
    why: str = ""
    warning: str = ""

    @property
    def is_as_written(self) -> bool:
        """Whether amounts have the sign that they are written with."""
        return not self.by_words and not self.is_out_positive

    def signed(self, profile: Profile, word: str, amount: Decimal) -> Decimal:
        """The amount as the account sees it: negative is money out.

        Args:
            profile: of the file.
            word: of its direction, in the row.
            amount: as it is written.

        Raises:
            BadCell: the word of the row is none that is known.
        """
        if self.by_words:
            return abs(amount).copy_negate() if _is_out(profile, word) else abs(amount)
        return EXACT.minus(amount) if self.is_out_positive and amount else amount


def direction_of(layout: Layout, mark: Mark, given: Sign | None) -> Direction:
    """Settle the direction of a file's amounts before a row is read.

    Raises:
        FileProblem: nothing in the file shows it.
    """
    if "amount" not in layout.at or layout.profile.has_trades():
        return Direction()
    for stated, why in ((given, "as given"), (layout.profile.sign, f"profile {layout.profile.name}")):
        if stated is not None:
            return Direction(is_out_positive=stated == "money-out-positive", why=f"{stated} ({why})")
    return _by_words(layout, mark) or _by_running_balances(layout, mark) or _by_signs(layout.columns("amount"))


def _by_words(layout: Layout, mark: Mark) -> Direction | None:
    found = list(_amounts(layout, layout.rows(), mark)) if "direction" in layout.at else []
    if not _has_words(layout.profile, found):
        return None
    if _agree(layout.profile, found):
        return Direction(why="negative is money out, as the words of the rows confirm")
    return Direction(by_words=True, why="by the words of its column")


def _by_running_balances(layout: Layout, mark: Mark) -> Direction | None:
    if "balance" not in layout.at:
        return None
    proved = _by_balances(list(_amounts(layout, islice(layout.rows(), _PROOF_ROWS), mark)))
    if proved is None:
        return None
    sign = "positive" if proved else "negative"
    return Direction(is_out_positive=proved, why=f"{sign} is money out, as balances prove")


def _by_signs(columns: Iterable[Sequence[str]]) -> Direction:
    out = into = plus_signs = 0
    for cells in columns:
        # Without parsing each: a minus before or after the number, or parentheses.
        unsigned = list(filter(_MINUS.isdisjoint, cells))
        out += len(cells) - len(unsigned)
        into += sum(not _DIGITS.isdisjoint(cell) for cell in unsigned)
        plus_signs += sum(cell.startswith("+") for cell in cells)
    if plus_signs and not out and plus_signs < into:
        raise FileProblem(
            f"{plus_signs} amounts have a plus and {into - plus_signs} have no sign: which are money out?"
        )
    if into and not out and not plus_signs:
        raise FileProblem(f"no amount is negative, and nothing else shows which way the money went; say {OPTION}")
    warning = (
        f"money in in {into} of {out + into} rows: if these are purchases of a card, say --sign money-out-positive"
    )
    return Direction(why="negative is money out", warning=warning if into > out else "")


Found = tuple[Decimal, str, Decimal | None]
"""Amount, word of the direction, and balance of a row."""


def _amounts(layout: Layout, rows: Iterable[Row], mark: Mark) -> Iterator[Found]:
    for _, cells in rows:
        with suppress(BadCell):
            number = parse_amount(layout.cell(cells, "amount"), mark)
            if number is not None:
                balance = parse_amount(layout.cell(cells, "balance"), mark) if "balance" in layout.at else None
                yield number, layout.cell(cells, "direction").casefold(), balance


def _folded(words: list[str]) -> set[str]:
    return {word.casefold() for word in words}


def _has_words(profile: Profile, found: list[Found]) -> bool:
    known = _folded(profile.debit_words) | _folded(profile.credit_words)
    return any(word in known for _, word, _ in found)


def _agree(profile: Profile, found: list[Found]) -> bool:
    """Whether amounts have signs of their own, and none contradicts the word beside it."""
    debit, credit = _folded(profile.debit_words), _folded(profile.credit_words)
    is_signed = any(number < 0 for number, *_ in found)
    return is_signed and not any(
        (word in debit and number > 0) or (word in credit and number < 0) for number, word, _ in found
    )


def _is_out(profile: Profile, word: str) -> bool:
    """Whether the word of a row means money out."""
    is_out, is_in = (word.casefold() in _folded(words) for words in (profile.debit_words, profile.credit_words))
    if profile.credit_words and not (is_out or is_in):
        known = ", ".join([*profile.debit_words, *profile.credit_words][:12])
        raise BadCell(f"direction {quoted(word)} is none of {known}")
    return is_out


def _by_balances(found: list[Found]) -> bool | None:
    """Whether positive amounts are money out by the running balances; None where they do not show it."""
    plain = max(_hits(found, negated=False), _hits(found[::-1], negated=False))
    turned = max(_hits(found, negated=True), _hits(found[::-1], negated=True))
    best = max(plain, turned)
    if not best or plain == turned or best * 2 < sum(balance is not None for *_, balance in found[1:]):
        return None
    return turned > plain


def _hits(found: list[Found], *, negated: bool) -> int:
    """How many balances are the one before with the amount."""
    count = 0
    for (_, _, before), (number, _, balance) in pairwise(found):
        if before is not None and balance is not None and number:
            moved = EXACT.minus(number) if negated else number
            count += plus(before, moved) == balance
    return count
