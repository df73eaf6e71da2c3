"""Settings as keyword arguments of an agent; made from `finclaw_cli.settings.model` by `.ci/generate.py`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import Literal, TypedDict


class SettingOptions(TypedDict, total=False):
    """The settings of a run; times are seconds, money is USD. None counts as not given."""

    model: str | None
    """The model to ask: provider:model, or a name a provider recognises."""
    fallback: Sequence[str] | None
    """Models that take over, in this order, when the one before fails."""
    base_url: str | None
    """Another address for the model's provider."""
    transport: Literal["direct", "sdk"] | None
    """How a provider is reached: over HTTP directly, or by its SDK; else as its credentials need."""
    agent: str | None
    """The agent of the run, whose other runs it waits for; by default none is named."""
    system: str | None
    """The system prompt, in place of finclaw's own."""
    prompt_mode: Literal["full", "minimal", "none"] | None
    """How many sections finclaw's own system prompt has; minimal: identity, tools, rules."""
    prompt_tokens: int | None
    """The most tokens finclaw's own system prompt may have; what is optional goes first."""
    temperature: float | None
    """Sampling temperature, where the model takes one."""
    max_output_tokens: int | None
    """The most tokens one turn may have."""
    save: bool | None
    """Keep each run's events in the data folder."""
    verify_numbers: Literal["off", "warn", "fail"] | None
    """Trace the numbers of the answer to tools; fail: exit code 12 where one has no source."""
    number_sources: Literal["model", "rules"] | None
    """Who gives the source of a figure that rules do not find: the model, in one more request, or nothing."""
    on_denied: Literal["fail", "continue"] | None
    """Whether a denied tool makes the exit code 8."""
    as_of: date | str | None
    """Tools return nothing later than this date."""
    max_turns: int | None
    """The most turns of a run."""
    max_cost: Decimal | str | None
    """The most a run may cost, in USD; checked before each request."""
    timeout: float | None
    """The longest a run may take."""
    first_chunk_timeout: float | None
    """The longest to wait for a model's first word."""
    idle_timeout: float | None
    """The longest a stream may stand still."""
    max_tool_calls: int | None
    """The most tool calls of a run."""
    max_result_chars: int | None
    """The most characters of a tool's result a model gets."""
    approve: Sequence[str] | None
    """Tools approved in advance; one that moves money has to be named."""
    approval_timeout: float | None
    """The longest to wait for an approval; then it is a no."""
    policy: Sequence[str] | None
    """Further policy files, beside the user's and the project's."""
    retry_attempts: int | None
    """How often a request is made before it counts as failed."""
    retry_base: float | None
    """The first delay between attempts."""
    retry_cap: float | None
    """The longest delay between attempts."""
    retry_jitter: float | None
    """The share by which delays vary."""
    compaction: Literal["truncate-tools", "truncate-oldest", "summarize", "hybrid"] | None
    """How a conversation that fills the window is made smaller."""
    keep_recent: int | None
    """How many of the last messages are never touched by that."""
    summary_model: str | None
    """The model that writes summaries; else the one that is asked."""
    summary_timeout: float | None
    """The longest a summary may take; then it is done without."""
    lane_max_running: int | None
    """How many runs an agent may have under way."""
    lane_max_queued: int | None
    """How many runs may wait for an agent."""
    lane_wait: float | None
    """The longest a run waits for its agent."""
    lane_unnamed: bool | None
    """Whether runs that name no agent wait for each other, too."""
    probe_timeout: float | None
    """The longest a plugin may take to be looked at, or checked."""
    aliases: Mapping[str, object] | None
    """Other names for models."""
    providers: Mapping[str, object] | None
    """Addresses, keys and headers of providers, and compatible servers."""
    models: Mapping[str, object] | None
    """Windows, prices and rate limits of models: [models."provider:model"]."""
    budget: Mapping[str, object] | None
    """The most all runs may cost in a day, in a month; USD."""
    profile: Mapping[str, object] | None
    """Who asks: compliance level, risk, markets."""
    plugins: Mapping[str, object] | None
    """Which plugins may be used."""
    tool: Mapping[str, object] | None
    """Preferences and timeouts of single tools."""
    groups: Mapping[str, object] | None
    """When the tools of a group are offered: [groups.NAME] offer = always, on-demand or never."""
    mask: Mapping[str, object] | None
    """Further patterns of what is masked, by kind; needs finclaw-cli[re2]."""
    plugin: Mapping[str, object] | None
    """Settings of single plugins: [plugin.DIST]."""
    mcp: Mapping[str, object] | None
    """Servers of the Model Context Protocol, for finclaw-mcp: [mcp.servers.NAME]."""
