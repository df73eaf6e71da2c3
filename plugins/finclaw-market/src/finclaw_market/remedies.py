"""What the repairs of doubtful prices would make of them: which ones, in which order, and the return with them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from finclaw_market.adjust import CannotAdjust, adjusted
from finclaw_market.bars import Bar, Basis, Wanted
from finclaw_market.checks import Finding, suspected, suspected_payouts
from finclaw_market.mending import Repair, repaired

# A repair may bring the next error to light, as dividends are looked at in prices of one unit.
_MOST_ROUNDS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Remedy:
    """Bars with all repairs that are proposed, in order; what is left has no proposal."""

    findings: tuple[Finding, ...]
    bars: tuple[Bar, ...]
    left: tuple[Finding, ...]

    @property
    def repairs(self) -> tuple[Repair, ...]:
        """Each repair once."""
        return tuple(dict.fromkeys(finding.repair for finding in self.findings if finding.repair is not None))


def remedy(symbol: str, bars: Sequence[Bar], basis: Basis) -> Remedy:
    """Propose repairs of stored bars, oldest first: prices before dividends, until nothing is found or helps."""
    found: list[Finding] = []
    current, left = list(bars), _errors(symbol, bars, basis)
    for _ in range(_MOST_ROUNDS):
        repairable = [finding for finding in left if finding.repair is not None]
        if not repairable:
            break
        repairs = tuple(dict.fromkeys(finding.repair for finding in repairable if finding.repair is not None))
        changed = repaired(current, repairs, splits_in_prices=basis == "none")
        if set(repairs) <= {finding.repair for finding in found} or not changed:
            break
        found.extend(repairable)
        current, left = changed, _errors(symbol, changed, basis)
    return Remedy(findings=tuple(found), bars=tuple(current), left=tuple(left))


def _errors(symbol: str, bars: Sequence[Bar], basis: Basis) -> list[Finding]:
    prices = suspected(symbol, bars, basis)
    return prices if any(finding.repair for finding in prices) else [*prices, *suspected_payouts(symbol, bars, basis)]


def change_between(bars: Sequence[Bar], basis: Basis, wanted: Wanted, days: tuple[date, date]) -> float | None:
    """The return from one day to another as a fraction, in an adjustment; None where the data cannot give it."""
    try:
        shown = adjusted(bars, [basis], wanted).bars
    except CannotAdjust:
        return None
    seen = [bar.close for bar in shown if days[0] <= bar.day <= days[1]]
    return float(seen[-1] / seen[0]) - 1 if len(seen) > 1 else None


def what_would_change(
    symbol: str, bars: Sequence[Bar], basis: Basis, wanted: Wanted, days: tuple[date, date]
) -> str | None:
    """What repairs would make of the return over these days, in words; None where they would change nothing."""
    with_them = remedy(symbol, bars, basis)
    before = change_between(bars, basis, wanted, days)
    after = change_between(with_them.bars, basis, wanted, days)
    if not with_them.repairs or before is None or after is None or f"{before:.4f}" == f"{after:.4f}":
        return None
    return (
        f"with the proposed repairs the return from {days[0]} to {days[1]} would be {after:.2%}, not {before:.2%} "
        f"(finclaw data repair {symbol})"
    )
