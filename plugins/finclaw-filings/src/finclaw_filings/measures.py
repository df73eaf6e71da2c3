"""Ratios and growth: their formulas, as text and as what is computed.

The formulas are those that textbooks of financial analysis give (for instance CFA Institute, Financial Analysis
Techniques); averages are those of the first and the last day of twelve months. Where a company does not report an
input, the next formula of the same measure counts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal, localcontext

from finclaw_cli.sdk import no_data
from finclaw_cli.sdk.render import quoted

Compute = Callable[[Sequence[Decimal]], Decimal]
_DIGITS = 6
_GROWTH = re.compile(r"(.{1,280})_(growth|cagr)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Input:
    """A value that a formula needs: of the period itself, or of an earlier one."""

    concept: str
    back: int = 0
    """How many years before the period; its last day for balances."""

    @property
    def shown(self) -> str:
        if self.back == 0:
            return self.concept
        return f"{self.concept} {f'{self.back} years' if self.back > 1 else 'a year'} before"


@dataclass(frozen=True, slots=True, kw_only=True)
class Formula:
    """One way to compute a measure; `unit` is `ratio`, or None for the unit of the inputs."""

    text: str
    inputs: tuple[Input, ...]
    compute: Compute
    unit: str | None = "ratio"
    of_a_year: bool = False
    """Whether a quarter does not do: a flow is compared with a balance."""
    positive: tuple[int, ...] = ()
    """The inputs that have to be above zero for the result to mean anything."""


def _ratio(top: str, bottom: str) -> Formula:
    names = (*top.split(" - "), bottom)
    text = f"({top}) / {bottom}" if len(names) > 2 else f"{top} / {bottom}"  # noqa: PLR2004
    inputs = tuple(Input(concept=name) for name in names)
    return Formula(text=text, inputs=inputs, compute=_first_less_others_by_last, positive=(len(inputs) - 1,))


def _first_less_others_by_last(values: Sequence[Decimal]) -> Decimal:
    first, *others, last = values
    return (first - sum(others, Decimal(0))) / last


def _by_average(top: str, bottom: str) -> Formula:
    return Formula(
        text=f"{top} / (({bottom} + {bottom} a year before) / 2)",
        inputs=(Input(concept=top), Input(concept=bottom), Input(concept=bottom, back=1)),
        compute=lambda values: values[0] / ((values[1] + values[2]) / 2),
        of_a_year=True,
        positive=(1, 2),
    )


FORMULAS: dict[str, tuple[Formula, ...]] = {
    "gross_margin": (_ratio("gross_profit", "revenue"), _ratio("revenue - cost_of_revenue", "revenue")),
    "operating_margin": (_ratio("operating_income", "revenue"),),
    "net_margin": (_ratio("net_income", "revenue"),),
    "fcf_margin": (_ratio("operating_cash_flow - capex", "revenue"),),
    "roe": (_by_average("net_income", "equity"),),
    "roa": (_by_average("net_income", "assets"),),
    "asset_turnover": (_by_average("revenue", "assets"),),
    "current_ratio": (_ratio("current_assets", "current_liabilities"),),
    "quick_ratio": (_ratio("current_assets - inventory", "current_liabilities"),),
    "debt_to_equity": (_ratio("debt", "equity"),),
    "liabilities_to_equity": (_ratio("liabilities", "equity"), _ratio("assets - equity", "equity")),
    "interest_cover": (_ratio("operating_income", "interest_expense"),),
    "effective_tax_rate": (_ratio("income_tax", "pretax_income"),),
    "payout": (_ratio("dividends_paid", "net_income"),),
    "fcf": (
        Formula(
            text="operating_cash_flow - capex",
            inputs=(Input(concept="operating_cash_flow"), Input(concept="capex")),
            compute=lambda values: values[0] - values[1],
            unit=None,
        ),
    ),
}


def formulas_of(measure: str, years: int) -> tuple[Formula, ...]:
    """The formulas of a measure, the preferred one first; a concept is its own value.

    Args:
        measure: a ratio, `CONCEPT_growth`, `CONCEPT_cagr`, or a concept.
        years: that a `cagr` spans.

    Raises:
        ToolError: BAD_INPUT: it is empty or too long.
    """
    name = measure.strip()
    if not 0 < len(name) <= 300:  # noqa: PLR2004
        raise no_data(f"measure {quoted(name)} is no name", code="BAD_INPUT")
    if found := FORMULAS.get(name.casefold()):
        return found
    grows = _GROWTH.fullmatch(name)
    if grows and grows[2] == "growth":
        return (_growth(grows[1]),)
    if grows:
        return (_cagr(grows[1], years),)
    return (Formula(text="as reported", inputs=(Input(concept=name),), compute=lambda values: values[0], unit=None),)


def _growth(concept: str) -> Formula:
    return Formula(
        text=f"{concept} / {concept} a year before - 1",
        inputs=(Input(concept=concept), Input(concept=concept, back=1)),
        compute=lambda values: values[0] / values[1] - 1,
        positive=(1,),
    )


def _cagr(concept: str, years: int) -> Formula:
    last, first = Input(concept=concept), Input(concept=concept, back=years)
    return Formula(
        text=f"({concept} / {first.shown}) ^ (1 / {years}) - 1",
        inputs=(last, first),
        compute=lambda values: (values[0] / values[1]) ** (Decimal(1) / years) - 1,
        positive=(1,),
    )


def result_of(formula: Formula, values: Sequence[Decimal]) -> Decimal | str:
    """The value with six digits after the point where it is a ratio, or why there is none."""
    if (below := next((at for at in formula.positive if values[at] <= 0), None)) is not None:
        return f"{formula.inputs[below].shown} is {values[below]:f}, which is not above zero"
    with localcontext(prec=60):
        if formula.unit is None:
            return formula.compute(values)
        if values[0] < 0 and "^" in formula.text:
            return f"{formula.inputs[0].shown} is below zero"
        return round(formula.compute(values), _DIGITS)
