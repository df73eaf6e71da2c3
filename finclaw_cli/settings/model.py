"""Every setting, once: its name, its type, its default.

The same name is used everywhere: the setting `max_turns` is the option `--max-turns`, the variable
`FINCLAW_MAX_TURNS`, and the key `max_turns` of a settings file. Times are seconds.
"""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, JsonValue, model_validator
from pydantic_core import PydanticCustomError

from finclaw_cli.core.tool import ToolGroup
from finclaw_cli.settings.money import dollars

Seconds = Annotated[float, Field(gt=0, le=86_400)]
Count = Annotated[int, Field(strict=True, ge=1, le=1_000_000)]

Dollars = Annotated[Decimal, BeforeValidator(dollars)]
"""An amount, or a price per million tokens, in USD."""

Name = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$")]


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class ProviderSettings(_Table):
    """`[providers.NAME]`: where a provider is, and which variable holds its key."""

    base_url: str | None = None
    key_variable: str | None = None


class PluginSettings(_Table):
    """`[plugins]`: which plugins may be used; `only` is also `FINCLAW_PLUGINS=a,b`."""

    only: list[str] | None = None
    deny: list[str] = []


class BreakerSettings(_Table):
    """`[tool.breakers.NAME]`: how many failures in a row open an external tool's circuit, and for how long."""

    failures: Annotated[int, Field(ge=1, le=1_000)] = 5
    open: Seconds = 30.0


class ToolSettings(_Table):
    """`[tool]`: what holds for single tools, by their names.

    Which plugin a name belongs to where several claim it, timeouts, groups, circuit breakers, and tools whose private
    data is not masked.
    """

    prefer: dict[str, str] = {}
    timeouts: dict[str, Seconds] = {}
    groups: dict[str, ToolGroup] = {}
    breakers: dict[str, BreakerSettings] = {}
    unmasked: list[str] = []


class ModelSettings(_Table):
    """`[models."provider:model"]`: what is known of a model better than by the price data.

    Window and output are tokens, prices USD per million tokens. Prices stand for the model's whole price list: a cache
    price that is missing is that of input, one for an hour's writes that of all writes.
    """

    window: Annotated[int, Field(strict=True, ge=1_000, le=100_000_000)] | None = None
    max_output: Annotated[int, Field(strict=True, ge=1, le=100_000_000)] | None = None
    input_usd: Dollars | None = None
    output_usd: Dollars | None = None
    cache_read_usd: Dollars | None = None
    cache_write_usd: Dollars | None = None
    cache_write_1h_usd: Dollars | None = None

    @model_validator(mode="after")
    def _whole_price_list(self) -> ModelSettings:
        if (self.input_usd is None) != (self.output_usd is None):
            raise PydanticCustomError("prices", "input_usd and output_usd go together: neither stands alone")
        cached = (self.cache_read_usd, self.cache_write_usd, self.cache_write_1h_usd)
        if self.input_usd is None and any(price is not None for price in cached):
            raise PydanticCustomError("prices", "cache prices need input_usd and output_usd beside them")
        return self


class BudgetSettings(_Table):
    """`[budget]`: the most that all runs together may cost in a day, in a month; USD, days of the local time zone."""

    daily: Dollars | None = None
    monthly: Dollars | None = None


class ProfileSettings(_Table):
    """`[profile]`: who asks. It shapes what a model is told of compliance, of risk and of the user.

    `markets` are exchanges by their codes (ISO 10383), `currency` is ISO 4217, `language` a tag such as `ko`.
    """

    level: Literal["retail", "professional", "institutional"] = "retail"
    risk_tolerance: Literal["conservative", "moderate", "aggressive"] | None = None
    markets: Annotated[list[Annotated[str, Field(pattern=r"^[A-Z0-9]{4}$")]], Field(max_length=20)] = []
    currency: Annotated[str, Field(pattern=r"^[A-Z]{3}$")] | None = None
    language: Annotated[str, Field(pattern=r"^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$")] | None = None


class Settings(_Table):
    """What holds for this run."""

    model: str | None = Field(None, description="the model to ask: provider:model, or a name a provider recognises")
    fallback: list[str] = Field([], description="models that take over, in this order, when the one before fails")
    base_url: str | None = Field(None, description="another address for the model's provider")
    agent: Name = Field("default", description="the agent whose lane the run takes")
    system: str | None = Field(None, description="the system prompt")
    prompt_mode: Literal["full", "minimal", "none"] = Field(
        "full", description="how much finclaw's own system prompt says; minimal: identity, tools, rules"
    )
    prompt_tokens: Count | None = Field(
        None, description="the most tokens finclaw's own system prompt may have; what is optional goes first"
    )
    temperature: float | None = Field(None, ge=0, le=2, description="sampling temperature, where the model takes one")
    max_output_tokens: Count | None = Field(None, description="the most tokens one turn may have")
    tools: list[str] | None = Field(None, description="the tools to offer: names, globs, or GROUP:GLOB")
    output: Literal["text", "ndjson", "json"] = Field("text", description="what stdout carries")
    events: Literal["agent", "all"] = Field("agent", description="which families of events NDJSON carries")
    deltas: bool = Field(default=True, description="whether NDJSON carries deltas")
    stream: bool = Field(default=False, description="write text as it comes, also where stdout is no terminal")
    plain: bool = Field(default=False, description="no colours, no Markdown, no live display")
    save: bool = Field(default=True, description="keep each run's events in the data folder")
    verify_numbers: Literal["off", "warn", "fail"] = Field(
        "off", description="trace the numbers of the answer to tools; fail: exit code 12 where one has no source"
    )
    on_denied: Literal["fail", "continue"] = Field("fail", description="whether a denied tool makes the exit code 8")
    as_of: date | None = Field(None, description="tools return nothing later than this date")
    max_turns: Count = Field(10, description="the most turns of a run")
    max_cost: Dollars | None = Field(None, description="the most a run may cost, in USD")
    timeout: Seconds = Field(600.0, description="the longest a run may take")
    first_chunk_timeout: Seconds = Field(60.0, description="the longest to wait for a model's first word")
    idle_timeout: Seconds = Field(60.0, description="the longest a stream may stand still")
    max_tool_calls: Count = Field(100, description="the most tool calls of a run")
    max_result_chars: Count = Field(10_000, description="the most characters of a tool's result a model gets")
    stdin_timeout: float = Field(3.0, ge=0, le=3600, description="how long to wait for a silent stdin's first byte")
    approve: list[str] = Field([], description="tools approved in advance; one that moves money has to be named")
    approval: Literal["terminal", "stdio", "none"] = Field("terminal", description="where approvals are asked for")
    approval_timeout: Seconds = Field(300.0, description="the longest to wait for an approval; then it is a no")
    policy: list[str] = Field([], description="further policy files, beside the user's and the project's")
    retry_attempts: Count = Field(3, description="how often a request is made before it counts as failed")
    retry_base: Seconds = Field(1.0, description="the first delay between attempts")
    retry_cap: Seconds = Field(30.0, description="the longest delay between attempts")
    retry_jitter: float = Field(0.2, ge=0, le=1, description="the share by which delays vary")
    compaction: Literal["truncate-tools", "truncate-oldest", "summarize", "hybrid"] = Field(
        "hybrid", description="how a conversation that fills the window is made smaller"
    )
    keep_recent: Count = Field(6, description="how many of the last messages are never touched by that")
    summary_model: str | None = Field(None, description="the model that writes summaries; else the one that is asked")
    summary_timeout: Seconds = Field(60.0, description="the longest a summary may take; then it is done without")
    lane_max_running: Count = Field(1, description="how many runs an agent may have under way")
    lane_max_queued: Count = Field(100, description="how many runs may wait for an agent")
    lane_wait: Seconds = Field(300.0, description="the longest a run waits for its agent")
    probe_timeout: Seconds = Field(30.0, description="the longest a plugin may take to be looked at, or checked")
    aliases: dict[str, str] = Field({}, description="other names for models")
    providers: dict[str, ProviderSettings] = Field({}, description="addresses of providers")
    models: dict[str, ModelSettings] = Field({}, description='windows and prices of models: [models."provider:model"]')
    budget: BudgetSettings = Field(BudgetSettings(), description="the most all runs may cost in a day, in a month; USD")
    profile: ProfileSettings = Field(ProfileSettings(), description="who asks: compliance level, risk, markets")
    plugins: PluginSettings = Field(PluginSettings(), description="which plugins may be used")
    tool: ToolSettings = Field(ToolSettings(), description="preferences and timeouts of single tools")
    mask: dict[str, str] = Field({}, description="further patterns of what is masked, by kind; needs finclaw-cli[re2]")
    plugin: dict[str, dict[str, JsonValue]] = Field({}, description="settings of single plugins: [plugin.DIST]")


# What a project's file may set: nothing that sends keys or data elsewhere, runs other code, or hides a refusal.
PROJECT_MAY_SET: frozenset[str] = frozenset(
    {
        "model", "fallback", "agent", "temperature", "max_output_tokens", "tools", "output", "events", "deltas",
        "stream", "plain", "as_of", "max_turns", "timeout", "first_chunk_timeout", "idle_timeout", "max_tool_calls",
        "max_result_chars", "stdin_timeout", "compaction", "keep_recent", "summary_timeout",
    }
)  # fmt: skip
TABLES: frozenset[str] = frozenset(
    {"aliases", "providers", "models", "budget", "profile", "plugins", "plugin", "tool", "mask"}
)


def variable(name: str) -> str:
    """The environment variable of a setting."""
    return "FINCLAW_" + name.upper()
