"""The notes below a table of costs: what its figures leave out, and what caches saved."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal

from finclaw_cli.core.clean import clean_line
from finclaw_cli.core.money import usd
from finclaw_cli.output.console import counted
from finclaw_cli.usage.report import Unpriced
from finclaw_cli.usage.sums import RequestSums

_SHOWN_MODELS = 3


def notes(sums: RequestSums, unpriced: Sequence[Unpriced]) -> Iterator[str]:
    """A sentence for each note that applies to these requests."""
    if sums.unpriced:
        yield (
            f"{counted(sums.unpriced_tokens, 'token')} of {counted(sums.unpriced, 'request')} have no price and are "
            f"in no cost: {_models(unpriced)}. Set one: `finclaw models set`."
        )
    if ends := list(_ends(sums)):
        yield f"Of {counted(sums.requests, 'request')}, {_listed(ends)}."
    if sums.estimated:
        asked = counted(sums.estimated, "request")
        yield f"The tokens of {asked} are estimated: the provider did not report all of them."
    if sums.unreported:
        yield f"The usage of {counted(sums.unreported, 'request')} is unknown: in no sum of tokens and no cost."
    if sums.saved_usd:
        yield _saved(sums.saved_usd)


def _ends(sums: RequestSums) -> Iterator[str]:
    if sums.failed:
        yield f"{sums.failed:,} failed"
    if sums.interrupted:
        yield f"{sums.interrupted:,} {_was(sums.interrupted)} interrupted"
    if sums.retries:
        yield f"{sums.retries:,} {_was(sums.retries)} made again after a failure"


def _saved(amount: Decimal) -> str:
    if amount > 0:
        return f"The cache saved {usd(amount)}."
    return f"The cache cost {usd(-amount)} more than it saved."


def _models(unpriced: Sequence[Unpriced]) -> str:
    names = [clean_line(f"{model.provider}:{model.model}") for model in unpriced[:_SHOWN_MODELS]]
    more = len(unpriced) - len(names)
    return ", ".join(names) + (f" and {more:,} more" if more else "")


def _was(count: int) -> str:
    return "was" if count == 1 else "were"


def _listed(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
