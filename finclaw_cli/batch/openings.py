"""What runs of a batch are made from: opened once for all items that have the same settings."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import replace
from decimal import Decimal
from functools import partial

from finclaw_cli.agent.caller_tools import wanted_tools
from finclaw_cli.agent.opening import Opening, settings_in
from finclaw_cli.agent.options import AgentOptions
from finclaw_cli.app.budget_store import require_prices
from finclaw_cli.batch.economy import require_tier, tier_at_once, with_times
from finclaw_cli.batch.pacing import Pacing
from finclaw_cli.batch.round_provider import Asking
from finclaw_cli.core.json_text import JsonObject, canonical, jsonable
from finclaw_cli.core.own_threads import in_own_thread
from finclaw_cli.core.usage import Tier
from finclaw_cli.settings.load import LoadedSettings
from finclaw_cli.settings.model import Settings

CHANNEL = "batch"
ANSWERING = (
    "model", "fallback", "base_url", "agent", "system", "prompt_mode", "prompt_tokens", "temperature",
    "max_output_tokens", "tools", "verify_numbers", "number_sources", "on_denied", "as_of", "max_turns",
    "max_tool_calls", "max_result_chars", "approve", "policy", "compaction", "keep_recent", "summary_model", "profile",
)  # fmt: skip
"""The settings that change answers: under others of these, an item is another one."""
Load = Callable[[Mapping[str, object]], LoadedSettings]


def answering(settings: Settings, schema: object) -> JsonObject:
    """What of the settings, and the form of the answer, the ids of items are made from."""
    form = schema.model_json_schema() if isinstance(schema, type) and hasattr(schema, "model_json_schema") else schema
    return {"schema": jsonable(form), **{name: jsonable(getattr(settings, name)) for name in ANSWERING}}


class Openings:
    """The agents of a batch, in whose environment it is used.

    Args:
        options: of the whole batch.
        load: makes settings of options.
        max_cost_usd: the limit of the whole batch, in USD, for which prices have to be known.
        concurrency: the most requests at once.
        pacing: the rate limits of the servers.
        tier: of all requests.
        asking: how items ask their models.
    """

    def __init__(
        self,
        options: AgentOptions,
        load: Load,
        max_cost_usd: Decimal | None,
        concurrency: int,
        pacing: Pacing,
        *,
        tier: Tier,
        asking: Asking,
    ) -> None:
        self.asking = asking
        """How items ask their models."""
        self.money = asyncio.Lock()
        """Held by the item that is the first to wait for money of the batch."""
        self._tier: Tier = tier
        self._concurrency = concurrency
        self._pacing = pacing
        self._options = options
        self._load = load
        self._max_cost_usd = max_cost_usd
        self._opened: dict[str, asyncio.Task[Opening]] = {}

    @property
    def is_limited(self) -> bool:
        """Whether requests need money of the batch."""
        return self._max_cost_usd is not None

    async def of(self, own: Mapping[str, object]) -> Opening:
        """What items with these options of their own are made from.

        Raises:
            FinclawError: a model, a key, a tool, a price or a file is missing, or a setting is wrong.
        """
        key = canonical(own)
        opened = self._opened.get(key)
        if opened is None:
            opened = self._opened[key] = asyncio.create_task(self._open(own))
        return await asyncio.shield(opened)

    async def aclose(self) -> None:
        """Close the connections and the usage stores."""
        opened, self._opened = list(self._opened.values()), {}
        for task in opened:
            await asyncio.wait([task])
            if not task.cancelled() and task.exception() is None:
                await task.result().aclose()
        await self.asking.aclose()
        await self._pacing.aclose()

    async def _open(self, own: Mapping[str, object]) -> Opening:
        opening = await in_own_thread(partial(self._made, own))
        opening.begin_to_connect()
        return opening

    def _made(self, own: Mapping[str, object]) -> Opening:
        options: AgentOptions = {**self._options, **own}  # type: ignore[typeddict-item]
        tools = wanted_tools(options.get("tools"))
        loaded = with_times(self._load(settings_in(options, tools)), options, self._tier)
        pacing = self._pacing.of(loaded.settings.models)
        opening = Opening(
            loaded, options, tools,
            channel=CHANNEL, max_requests=self._concurrency, pacing=pacing, tier=tier_at_once(self._tier),
        )  # fmt: skip
        plan = opening.plan
        for ref in plan.models:
            require_tier(opening, ref, self._tier)
        if self._max_cost_usd is not None:
            limited = replace(plan.settings, max_cost=self._max_cost_usd)
            require_prices(limited, plan.installed.providers, plan.models)
        return opening
