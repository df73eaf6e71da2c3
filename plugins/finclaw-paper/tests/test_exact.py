from __future__ import annotations

from collections.abc import Callable
from datetime import date
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event

from broker_calls import AS_OF, fill_market
from hypothesis import given, settings
from hypothesis import strategies as st

from finclaw_cli.sdk import ToolError
from finclaw_cli.testing.tools import tool_context
from finclaw_paper import book
from finclaw_paper.ledger import reading
from finclaw_paper.local import Desk, place
from finclaw_paper.money import minus, plus, shares_for, text, times, total
from finclaw_paper.request import order_request
from finclaw_paper.settings import PaperSettings
from finclaw_paper.views import reconciled

QTY = st.decimals("0.000000001", "5000", places=9)
MONEY = st.decimals("0.01", "40000", places=6)
ORDERS = st.lists(
    st.tuples(st.sampled_from(["ACME", "TINY"]), st.sampled_from(["buy", "sell"]), QTY | st.none(), MONEY),
    min_size=1,
    max_size=12,
)
PRICES = {"ACME": Decimal("12.3456789012345678901234567890123"), "TINY": Decimal("0.000000012345678")}


@settings(max_examples=25)
@given(ORDERS, st.decimals("0", "9.99", places=7), st.booleans())
def test_any_sequence_of_orders_adds_up_to_the_last_digit(
    orders: list[tuple[str, str, Decimal | None, Decimal]], fee: Decimal, shorting: bool
) -> None:
    with TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        for symbol, price in PRICES.items():
            fill_market(home, Path(folder), f"2024-01-03,{price:f}", symbol, "USD")
        rules = PaperSettings.model_validate({"fee": str(fee), "shorting": shorting, "repeat_window_s": 0})
        desk = Desk(ctx=tool_context(home=home, as_of=AS_OF), settings=rules, given_up=Event())
        refusals: list[str] = []
        cash, held = Fraction(100_000), {symbol: Fraction(0) for symbol in PRICES}
        for number, (symbol, side, qty, money) in enumerate(orders):
            notional = money if qty is None else None
            try:
                request = order_request(
                    symbol, side, qty=qty, notional=notional, type="market", limit_price=None, tif="day"  # type: ignore[arg-type]
                )  # fmt: skip
                fill = place(desk, request, f"fc-{number}", repeat=False).order.fill
            except ToolError as error:
                refusals.append(str(error))
                continue
            assert fill is not None
            sign = 1 if side == "buy" else -1
            cash -= sign * Fraction(fill.qty) * Fraction(PRICES[symbol]) + Fraction(fee)
            held[symbol] += sign * Fraction(fill.qty)
            assert cash >= 0
        assert all(refusal.startswith("ORDER_REFUSED") for refusal in refusals)
        check(desk, cash, held)


def check(desk: Desk, cash: Fraction, held: dict[str, Fraction]) -> None:
    with reading(desk.ctx.home) as connection:
        if connection is None:
            return
        account = book.account(connection)
        if account is not None:
            assert Fraction(account.cash) == cash
        kept = book.positions(connection)
    assert {symbol: Fraction(kept.get(symbol, 0)) for symbol in held} == held
    assert reconciled(desk, None).data["books"]["consistent"]  # type: ignore[index]


NUMBERS = st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**20), max_value=10**20, places=25)


@given(NUMBERS, NUMBERS, NUMBERS)
def test_arithmetic_is_exact(a: Decimal, b: Decimal, c: Decimal) -> None:
    assert Fraction(plus(a, times(b, c))) == Fraction(a) + Fraction(b) * Fraction(c)
    assert Fraction(minus(a, b)) == Fraction(a) - Fraction(b)
    assert Fraction(total([a, b, c])) == Fraction(a) + Fraction(b) + Fraction(c)
    assert Decimal(text(a)) == a
    assert "E" not in text(a).upper()


@given(MONEY, st.decimals("0.000001", "99999", places=6))
def test_money_never_buys_more_than_it_is_worth(money: Decimal, price: Decimal) -> None:
    shares = shares_for(money, price)
    assert Fraction(shares) * Fraction(price) <= Fraction(money)
    assert (Fraction(shares) + Fraction(1, 10**9)) * Fraction(price) > Fraction(money)


def test_a_price_with_many_digits_is_booked_with_all_of_them(calls: object, market: Callable[..., None]) -> None:
    market("2024-01-02,3.1415926535897932384626433832795028", "PI")
    data = calls.data("place", symbol="PI", side="buy", qty="1.000000001")  # type: ignore[attr-defined]
    assert data["fill_price"] == "3.1415926535897932384626433832795028"
    cash = Decimal(calls.data("account")["cash"])  # type: ignore[attr-defined]
    spent = Fraction(Decimal("3.1415926535897932384626433832795028")) * Fraction(Decimal("1.000000001"))
    assert Fraction(100_000) - Fraction(cash) == spent
    assert date(2024, 1, 3) == AS_OF
