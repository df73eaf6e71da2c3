"""How many rates fit irregular flows, and which: numpy's roots of the polynomial, and pyxirr's one rate by date."""

from __future__ import annotations

import random
from datetime import date, timedelta
from typing import Any

import numpy as np
import pyxirr

_COUNT = 30


def cases() -> list[dict[str, Any]]:
    return [*(_periodic(seed) for seed in range(24)), *(_dated(seed) for seed in range(100, 124))]


def _amounts(seed: int) -> list[str]:
    chance = random.Random(seed)
    return [f"{chance.gauss(0, 1000):.2f}" for _ in range(_COUNT)]


def _periodic(seed: int) -> dict[str, Any]:
    """With x = 1 + rate the flows are a polynomial, highest power first: its real roots above 0 are all rates."""
    amounts = _amounts(seed)
    found = np.roots([float(amount) for amount in amounts])
    rates = sorted(root.real - 1 for root in found if abs(root.imag) < 1e-9 and 1e-6 < root.real < 1e6)
    case = {"id": f"irregular {seed}", "tool": "cashflow_return", "input": {"kind": "irr", "amounts": amounts}}
    if not rates:
        return case | {"fails": "NO_DATA", "expect": {}}
    expect: dict[str, Any] = {"roots_found": ("numpy", len(rates))}
    expect |= {f"roots.{number}": ("numpy", rate) for number, rate in enumerate(rates)}
    return case | {"expect": expect}


def _dated(seed: int) -> dict[str, Any]:
    chance, day = random.Random(seed), date(2015, 1, 1)
    flows = []
    for amount in _amounts(seed):
        flows.append([day.isoformat(), amount])
        day += timedelta(days=chance.randint(1, 90))
    rate = _polished([(date.fromisoformat(one), float(amount)) for one, amount in flows])
    case = {"id": f"irregular by date {seed}", "tool": "cashflow_return", "input": {"kind": "xirr", "flows": flows}}
    return case | {"expect": {} if rate is None else {"roots.*": ("pyxirr", rate)}}


def _polished(pairs: list[tuple[date, float]]) -> float | None:
    """Its rate, which it leaves at about eight digits, with two secant steps on its present value."""
    rate = pyxirr.xirr(pairs)
    for _ in range(2 if rate is not None else 0):
        here, there = pyxirr.xnpv(rate, pairs), pyxirr.xnpv(rate + 1e-6, pairs)
        rate -= here * 1e-6 / (there - here)
    return rate
