"""Values read back from the store: those that no import could have written are reported as damage."""

from __future__ import annotations

from datetime import date
from decimal import Decimal, InvalidOperation

from finclaw_cli.sdk.render import bounded
from finclaw_market.problems import StoreProblem

REPAIR = "move it away and import again"
_STORE = "market.db"
_MAX_SHOWN = 40
# Far beyond what an import lets through, and far below what arithmetic could not bear.
_MAX_LENGTH, _MAX_MAGNITUDE = 120, 40


def damaged(what: str) -> StoreProblem:
    """The complaint about a value of the store that cannot be right."""
    return StoreProblem(f"{_STORE} is damaged: {what}; {REPAIR}")


def held_date(value: object, of: str) -> date:
    """A stored date.

    Args:
        value: as SQLite gives it.
        of: what it belongs to, as the complaint names it.

    Raises:
        StoreProblem: it is none.
    """
    try:
        return date.fromisoformat(value if isinstance(value, str) else "")
    except ValueError:
        raise damaged(f"{of} is {_shown(value)}, not a date") from None


def held_number(value: object, of: str, least: Decimal | None = None) -> Decimal:
    """A stored number, finite and within bounds.

    Args:
        value: as SQLite gives it.
        of: what it belongs to, as the complaint names it.
        least: the number must not be less; where it is None, any sign will do.

    Raises:
        StoreProblem: it is not such a number.
    """
    text = value if isinstance(value, str) and len(value) <= _MAX_LENGTH else ""
    try:
        number = Decimal(text)
    except InvalidOperation:
        raise damaged(f"{of} is {_shown(value)}, not a number") from None
    if not number.is_finite() or (number and abs(number.adjusted()) > _MAX_MAGNITUDE):
        raise damaged(f"{of} is {_shown(value)}, out of any range")
    if least is not None and number < least:
        raise damaged(f"{of} is {_shown(value)}, too low")
    return number


def held_price(value: object, of: str) -> Decimal:
    """A stored number above zero.

    Raises:
        StoreProblem: it is not.
    """
    number = held_number(value, of)
    if number <= 0:
        raise damaged(f"{of} is {_shown(value)}, not above zero")
    return number


def _shown(value: object) -> str:
    return repr(bounded(value, _MAX_SHOWN)) if isinstance(value, str) else f"a {type(value).__name__}"
