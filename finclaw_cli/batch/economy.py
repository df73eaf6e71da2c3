"""Half the price: what has to be so for a batch whose requests may take longer."""

from __future__ import annotations

from dataclasses import replace
from typing import Final, Literal

from finclaw_cli.agent.opening import Opening
from finclaw_cli.agent.options import AgentOptions
from finclaw_cli.batch.round_provider import batched
from finclaw_cli.catalog.tiers import has_tier
from finclaw_cli.core.errors import UsageError
from finclaw_cli.core.usage import Tier
from finclaw_cli.engine.request import ModelRef
from finclaw_cli.settings.load import LoadedSettings

Economy = Literal["batch", "flex", "fallback"]
"""In rounds, by a slower tier, or in rounds and at the full price where these have expired twice."""
ECONOMIES: Final[tuple[Economy, ...]] = ("batch", "flex", "fallback")
IN_ROUNDS: Final = 1_000
"""The most runs at once that wait for rounds, where no other number is given."""
AT_ONCE: Final = 8
"""The most requests at once, where no other number is given."""
LONGEST_RUN_S: Final = 29.0 * 86_400
"""Providers keep the results of a batch for so long."""
FLEX_FIRST_S: Final = 900.0
"""How long a first word of flex may take: https://developers.openai.com/api/docs/guides/flex-processing."""

FLEX_RUN_S: Final = 4 * FLEX_FIRST_S


def known_economy(given: str | None) -> Economy | None:
    """A way to half the price, or none.

    Raises:
        UsageError: there is no such way.
    """
    for economy in ECONOMIES:
        if given == economy:
            return economy
    if given is None:
        return None
    raise UsageError(f"economy: {given!r} is none of {', '.join(ECONOMIES)}")


def usual_concurrency(economy: Economy | None) -> int:
    """The most runs at once, where no number is given."""
    return IN_ROUNDS if tier_of(economy) == "batch" else AT_ONCE


def tier_of(economy: Economy | None) -> Tier:
    """The tier of a batch's requests."""
    if economy is None:
        return "standard"
    return "flex" if economy == "flex" else "batch"


def tier_at_once(tier: Tier) -> Tier:
    """The tier of a batch's requests that are in no round."""
    return "standard" if tier == "batch" else tier


def with_times(loaded: LoadedSettings, options: AgentOptions, tier: Tier) -> LoadedSettings:
    """The settings with the times that runs need in a tier.

    Raises:
        UsageError: a time is given that no run in rounds can keep.
    """
    settings = loaded.settings
    if tier == "batch":
        if options.get("timeout") is not None:
            raise UsageError("timeout: a run in rounds waits for hours", hint="Leave it out with economy.")
        settings = replace(settings, timeout=LONGEST_RUN_S, summary_timeout=LONGEST_RUN_S)
    if tier == "flex" and options.get("first_chunk_timeout") is None:
        settings = replace(settings, first_chunk_timeout=FLEX_FIRST_S)
    if tier == "flex" and options.get("timeout") is None:
        settings = replace(settings, timeout=FLEX_RUN_S)
    return replace(loaded, settings=settings)


def require_tier(opening: Opening, ref: ModelRef, tier: Tier) -> None:
    """Make sure that a model can be asked in a tier, before anything is sent.

    Raises:
        UsageError: its provider does not have it, or finclaw does not know its price.
    """
    if not has_tier(ref.provider, tier):
        raise UsageError(
            f"economy: {ref.provider} has no tier {tier!r} whose price is known",
            hint="Batches: anthropic, openai. Flex: openai.",
            code="no_tier",
        )
    if tier == "batch":
        batched(opening.connection(ref))
