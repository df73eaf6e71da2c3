"""Random trades of a year against a plain loop over its days, which knows nothing of the package's code."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import date, timedelta
from fractions import Fraction

import pytest
from answers import Answer
from cases import HEAD

Ask = Callable[..., Answer]
Store = Callable[..., None]
Book = Callable[..., None]
FIRST = date(2024, 1, 1)
SPLIT = FIRST + timedelta(days=120)
SYMBOLS = ("AAA", "BBB", "CCC")


def made(seed: int) -> tuple[dict[tuple[str, date], int], list[tuple[date, str, str, int, int, int]]]:
    """Closes in cents of some days, and trades: day, side, symbol, units, price in cents, fee in cents."""
    pick = random.Random(seed)
    closes, trades = {}, []
    held = dict.fromkeys(SYMBOLS, 0)
    level = {symbol: pick.randint(2_000, 20_000) for symbol in SYMBOLS}
    for offset in range(360):
        day = FIRST + timedelta(days=offset)
        if day == SPLIT:
            level["AAA"] //= 2
            held["AAA"] *= 2
        for symbol in SYMBOLS:
            level[symbol] = max(level[symbol] * pick.randint(96, 104) // 100, 100)
            if offset == 0 or day == SPLIT or pick.random() < 0.6:
                closes[symbol, day] = level[symbol]
        if pick.random() < 0.12 and day != SPLIT:
            symbol = pick.choice(SYMBOLS)
            sells = held[symbol] > 5 and pick.random() < 0.4
            units = pick.randint(1, 5 if sells else 30)
            held[symbol] += -units if sells else units
            trades.append(
                (
                    day,
                    "sell" if sells else "buy",
                    symbol,
                    units,
                    level[symbol] + pick.randint(-50, 50),
                    pick.randint(0, 99),
                )
            )
    return closes, trades


def chained(
    closes: dict[tuple[str, date], int], trades: list[tuple[date, str, str, int, int, int]]
) -> tuple[float, Fraction]:
    """The product of the days' growth, less 1, and the gain in cents."""
    units, price = dict.fromkeys(SYMBOLS, 0), dict.fromkeys(SYMBOLS, 0)
    value, growth, paid, received = Fraction(0), 1.0, 0, 0
    for offset in range(360):
        day = FIRST + timedelta(days=offset)
        into = out = 0
        if day == SPLIT:
            units["AAA"] *= 2
        for at, side, symbol, count, cents, fee in trades:
            if at == day and side == "buy":
                units[symbol] += count
                into += count * cents + fee
            elif at == day:
                units[symbol] -= count
                out += count * cents - fee
        for symbol in SYMBOLS:
            price[symbol] = closes.get((symbol, day), price[symbol])
        after = Fraction(sum(units[symbol] * price[symbol] for symbol in SYMBOLS))
        if value + into:
            growth *= float((after + out) / (value + into))
        value, paid, received = after, paid + into, received + out
    return growth - 1, value + received - paid


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_return_and_the_gain_are_those_of_a_plain_loop(store: Store, ask: Ask, book: Book, seed: int) -> None:
    closes, trades = made(seed)
    for symbol in SYMBOLS:
        rows = [
            (str(day), f"{cents / 100:.2f}", "2" if (name, day) == ("AAA", SPLIT) else "1")
            for (name, day), cents in closes.items()
            if name == symbol
        ]
        store(symbol, rows)
    lines = [
        f"{day},{side},{symbol},{n},{cents / 100:.2f},{fee / 100:.2f},,USD\n"
        for day, side, symbol, n, cents, fee in trades
    ]
    before = [line for line in lines if line < str(SPLIT)]
    book(HEAD + "".join([*before, f"{SPLIT},split,AAA,2,,,,USD\n", *lines[len(before) :]]))
    linked, cents = chained(closes, trades)
    answer = ask("portfolio_return", end=str(FIRST + timedelta(days=359)))
    assert answer.data["incomplete"] == [], answer.warnings
    assert answer.data["time_weighted"]["return"] == pytest.approx(linked, rel=1e-9)
    assert Fraction(answer.data["gain"]) * 100 == cents
