"""What a budget allows by category: amounts such as `400` or `1200 per year`, from the settings or from a call."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

from finclaw_cli.sdk import ToolContext, no_data
from finclaw_cli.sdk.render import quoted
from finclaw_cli.sdk.tabular import BadCell
from finclaw_ledger.currencies import currency_of
from finclaw_ledger.settings import TABLE, ledger_settings

CYCLES = ("month", "quarter", "year")
_AMOUNT = re.compile(r"([0-9]{1,12}(?:\.[0-9]{1,4})?)(?: per (month|quarter|year))?")
_MOST = 100
_ABOVE = "expenses:"
_HOW = f'give amounts={{"Groceries": "400"}}, or set [{TABLE}.budget.EUR] Groceries = "400"'


@dataclass(frozen=True, slots=True, kw_only=True)
class Allowance:
    """What may be spent of a category in each month, quarter or year."""

    currency: str
    category: str
    amount: Decimal
    cycle: str
    """`month`, `quarter` or `year`."""

    def covers(self, category: str) -> bool:
        """Whether a category of a booking is this one or below it: `Expenses:Food:Out` is below `food`."""
        mine = self.category.casefold()
        found = category.casefold()
        return any(name == mine or name.startswith(f"{mine}:") for name in (found, found.removeprefix(_ABOVE)))


Given = Mapping[str, Decimal | str] | Mapping[str, str | int]


def allowances(ctx: ToolContext, amounts: Given | None, currency: str | None) -> list[Allowance]:
    """The allowances of a call, or those of the settings; of the settings those in a currency, where one is given.

    Args:
        ctx: of the call.
        amounts: by category, in the currency.
        currency: its code.

    Raises:
        ToolError: BAD_INPUT: an amount cannot be read or has no currency; NOT_CONFIGURED: there are none, or the
            settings are wrong.
    """
    code = None if currency is None else _code(currency)
    if amounts is not None and code is None:
        raise no_data("amounts need their currency, e.g. currency=EUR", code="BAD_INPUT")
    if amounts is not None and code is not None:
        found = _of(code, amounts, "amounts")
    else:
        tables = {_code(name): table for name, table in ledger_settings(ctx).budget.items()}
        chosen = {name: table for name, table in tables.items() if code in (None, name)}
        found = [one for name, table in chosen.items() for one in _of(name, table, f"[{TABLE}.budget.{name}]")]
    if not found:
        raise no_data(f"there is no budget{f' in {code}' if code else ''}: {_HOW}", code="NOT_CONFIGURED")
    return found


def _of(currency: str, amounts: Given, where: str) -> list[Allowance]:
    if len(amounts) > _MOST:
        raise no_data(f"{where}: {len(amounts)} categories are more than {_MOST}", code="BAD_INPUT")
    found = [_allowance(currency, category.strip(), str(amount), where) for category, amount in amounts.items()]
    names = Counter(one.category.casefold().removeprefix(_ABOVE) for one in found)
    if twice := [one.category for one in found if names[one.category.casefold().removeprefix(_ABOVE)] > 1]:
        raise no_data(f"{where}: {', '.join(map(quoted, twice[:5]))} are the same category", code="BAD_INPUT")
    return found


def _allowance(currency: str, category: str, amount: str, where: str) -> Allowance:
    match = _AMOUNT.fullmatch(" ".join(amount.casefold().split()))
    if not match or not category:
        why = "is not an amount such as 400, 400 per month, 900 per quarter or 1200 per year"
        raise no_data(f"{where}: {quoted(category)}: {quoted(amount)} {why}", code="BAD_INPUT")
    return Allowance(currency=currency, category=category, amount=Decimal(match[1]), cycle=match[2] or "month")


def _code(given: str) -> str:
    try:
        return currency_of(given)
    except BadCell as error:
        raise no_data(str(error), code="BAD_INPUT") from None
