"""Every setting, once: its name, its type, its default.

The same name is used everywhere: the setting `max_turns` is the option `--max-turns`, the variable
`FINCLAW_MAX_TURNS`, and the key `max_turns` of a settings file. Times are seconds.
"""

from __future__ import annotations

from dataclasses import field, fields
from datetime import date
from decimal import Decimal
from typing import Annotated, Literal

from finclaw_cli.core.checked import AtMost, Matching, NotBlank, ReadBy, Within
from finclaw_cli.core.json_text import JsonValue
from finclaw_cli.core.record import record
from finclaw_cli.core.tool import ToolGroup
from finclaw_cli.settings.money import dollars

Seconds = Annotated[float, Within(0, 86_400, above=True)]
Count = Annotated[int, Within(1, 1_000_000)]
Share = Annotated[float, Within(0, 1)]

Dollars = Annotated[Decimal, ReadBy(dollars)]
"""An amount, or a price per million tokens, in USD."""


def _headers(given: object) -> dict[str, str]:
    from finclaw_cli.settings.headers import request_headers  # most settings have none

    return request_headers(given)


Name = Annotated[str, Matching(r"\A[A-Za-z0-9][A-Za-z0-9._-]{0,63}\Z")]


Filled = Annotated[str, NotBlank()]
"""A text that is not left empty, as by an unset variable of a shell."""

Api = Literal["openai-chat", "openai-responses", "anthropic"]
"""A wire dialect that compatible servers implement."""


@record(kw_only=True)
class ProviderSettings:
    """`[providers.NAME]`: the address of a provider, the variable with its key, and further request headers.

    A name that no installed provider has defines a compatible server; `api` is its dialect.
    """

    base_url: Filled | None = None
    key_variable: Filled | None = None
    api: Api | None = None
    headers: Annotated[dict[str, str], ReadBy(_headers, is_secret=True)] = field(default_factory=dict)


@record(kw_only=True)
class PluginSettings:
    """`[plugins]`: which plugins may be used; `only` is also `FINCLAW_PLUGINS=a,b`."""

    only: list[str] | None = None
    deny: list[str] = field(default_factory=list)


@record(kw_only=True)
class BreakerSettings:
    """`[tool.breakers.NAME]`: how many failures in a row open an external tool's circuit, and for how long."""

    failures: Annotated[int, Within(1, 1_000)] = 5
    open: Seconds = 30.0


@record(kw_only=True)
class ToolSettings:
    """`[tool]`: what holds for single tools, by their names.

    Which plugin a name belongs to where several claim it, timeouts, groups, circuit breakers, and tools whose private
    data is not masked.
    """

    prefer: dict[str, str] = field(default_factory=dict)
    timeouts: dict[str, Seconds] = field(default_factory=dict)
    groups: dict[str, ToolGroup] = field(default_factory=dict)
    breakers: dict[str, BreakerSettings] = field(default_factory=dict)
    unmasked: list[str] = field(default_factory=list)


@record(kw_only=True)
class ModelSettings:
    """`[models."provider:model"]`: what is known of a model better than by the price data.

    Window and output are tokens, prices USD per million tokens. Prices stand for the model's whole price list: a cache
    price that is missing is that of input, one for an hour's writes that of all writes.
    """

    window: Annotated[int, Within(1_000, 100_000_000)] | None = None
    max_output: Annotated[int, Within(1, 100_000_000)] | None = None
    input_usd: Dollars | None = None
    output_usd: Dollars | None = None
    cache_read_usd: Dollars | None = None
    cache_write_usd: Dollars | None = None
    cache_write_1h_usd: Dollars | None = None

    def __post_init__(self) -> None:
        if (self.input_usd is None) != (self.output_usd is None):
            raise ValueError("input_usd and output_usd go together: neither stands alone")
        cached = (self.cache_read_usd, self.cache_write_usd, self.cache_write_1h_usd)
        if self.input_usd is None and any(price is not None for price in cached):
            raise ValueError("cache prices need input_usd and output_usd beside them")


@record(kw_only=True)
class BudgetSettings:
    """`[budget]`: the most that all runs together may cost in a day, in a month; USD, days of the local time zone."""

    daily: Dollars | None = None
    monthly: Dollars | None = None


@record(kw_only=True)
class ProfileSettings:
    """`[profile]`: the user. It shapes what the system prompt has on compliance, risk and the user.

    `markets` are exchanges by their codes (ISO 10383), `currency` is ISO 4217, `language` a tag such as `ko`.
    """

    level: Literal["retail", "professional", "institutional"] = "retail"
    risk_tolerance: Literal["conservative", "moderate", "aggressive"] | None = None
    markets: Annotated[list[Annotated[str, Matching(r"\A[A-Z0-9]{4}\Z")]], AtMost(20)] = field(default_factory=list)
    currency: Annotated[str, Matching(r"\A[A-Z]{3}\Z")] | None = None
    language: Annotated[str, Matching(r"\A[a-z]{2,3}(-[A-Za-z0-9]{2,8})*\Z")] | None = None


def without_circles(aliases: dict[str, str]) -> dict[str, str]:
    """Return the aliases.

    Raises:
        ValueError: some lead back to themselves.
    """
    straight: set[str] = set()
    for alias in aliases:
        name, way = alias, dict[str, None]()
        while name in aliases and name not in straight:
            if name in way:
                raise ValueError(f"{' -> '.join((*way, name))[:200]} leads in a circle")
            way[name] = None
            name = aliases[name]
        straight.update(way)
    return aliases


def _says(description: str) -> dict[str, str]:
    return {"description": description}


@record(kw_only=True)
class Settings:
    """What holds for this run."""

    model: Filled | None = field(
        default=None, metadata=_says("the model to ask: provider:model, or a name a provider recognises")
    )
    fallback: list[str] = field(
        default_factory=list, metadata=_says("models that take over, in this order, when the one before fails")
    )
    base_url: Filled | None = field(default=None, metadata=_says("another address for the model's provider"))
    transport: Literal["direct", "sdk"] | None = field(
        default=None,
        metadata=_says("how a provider is reached: over HTTP directly, or by its SDK; else as its credentials need"),
    )
    agent: Name = field(default="default", metadata=_says("the agent whose lane the run takes"))
    system: str | None = field(default=None, metadata=_says("the system prompt"))
    prompt_mode: Literal["full", "minimal", "none"] = field(
        default="full",
        metadata=_says("how many sections finclaw's own system prompt has; minimal: identity, tools, rules"),
    )
    prompt_tokens: Count | None = field(
        default=None,
        metadata=_says("the most tokens finclaw's own system prompt may have; what is optional goes first"),
    )
    temperature: Annotated[float, Within(0, 2)] | None = field(
        default=None, metadata=_says("sampling temperature, where the model takes one")
    )
    max_output_tokens: Count | None = field(default=None, metadata=_says("the most tokens one turn may have"))
    tools: list[str] | None = field(
        default=None, metadata=_says("the tools to offer: names, globs, or GROUP:GLOB; none for no tool")
    )
    output: Literal["text", "ndjson", "json"] = field(default="text", metadata=_says("what stdout carries"))
    events: Literal["agent", "all"] = field(default="agent", metadata=_says("which families of events NDJSON carries"))
    deltas: bool = field(default=True, metadata=_says("whether NDJSON carries deltas"))
    stream: bool = field(default=False, metadata=_says("write text as it comes, also where stdout is no terminal"))
    plain: bool = field(default=False, metadata=_says("no colours, no Markdown, no live display"))
    save: bool = field(default=True, metadata=_says("keep each run's events in the data folder"))
    verify_numbers: Literal["off", "warn", "fail"] = field(
        default="off",
        metadata=_says("trace the numbers of the answer to tools; fail: exit code 12 where one has no source"),
    )
    on_denied: Literal["fail", "continue"] = field(
        default="fail", metadata=_says("whether a denied tool makes the exit code 8")
    )
    as_of: date | None = field(default=None, metadata=_says("tools return nothing later than this date"))
    max_turns: Count = field(default=10, metadata=_says("the most turns of a run"))
    max_cost: Dollars | None = field(default=None, metadata=_says("the most a run may cost, in USD"))
    timeout: Seconds = field(default=600.0, metadata=_says("the longest a run may take"))
    first_chunk_timeout: Seconds = field(default=60.0, metadata=_says("the longest to wait for a model's first word"))
    idle_timeout: Seconds = field(default=60.0, metadata=_says("the longest a stream may stand still"))
    max_tool_calls: Count = field(default=100, metadata=_says("the most tool calls of a run"))
    max_result_chars: Count = field(
        default=10_000, metadata=_says("the most characters of a tool's result a model gets")
    )
    stdin_timeout: Annotated[float, Within(0, 3_600)] = field(
        default=3.0, metadata=_says("how long to wait for a silent stdin's first byte")
    )
    approve: list[str] = field(
        default_factory=list, metadata=_says("tools approved in advance; one that moves money has to be named")
    )
    approval: Literal["terminal", "stdio", "none"] = field(
        default="terminal", metadata=_says("where approvals are asked for")
    )
    approval_timeout: Seconds = field(
        default=300.0, metadata=_says("the longest to wait for an approval; then it is a no")
    )
    policy: list[str] = field(
        default_factory=list, metadata=_says("further policy files, beside the user's and the project's")
    )
    retry_attempts: Count = field(default=3, metadata=_says("how often a request is made before it counts as failed"))
    retry_base: Seconds = field(default=1.0, metadata=_says("the first delay between attempts"))
    retry_cap: Seconds = field(default=30.0, metadata=_says("the longest delay between attempts"))
    retry_jitter: Share = field(default=0.2, metadata=_says("the share by which delays vary"))
    compaction: Literal["truncate-tools", "truncate-oldest", "summarize", "hybrid"] = field(
        default="hybrid", metadata=_says("how a conversation that fills the window is made smaller")
    )
    keep_recent: Count = field(default=6, metadata=_says("how many of the last messages are never touched by that"))
    summary_model: Filled | None = field(
        default=None, metadata=_says("the model that writes summaries; else the one that is asked")
    )
    summary_timeout: Seconds = field(
        default=60.0, metadata=_says("the longest a summary may take; then it is done without")
    )
    lane_max_running: Count = field(default=1, metadata=_says("how many runs an agent may have under way"))
    lane_max_queued: Count = field(default=100, metadata=_says("how many runs may wait for an agent"))
    lane_wait: Seconds = field(default=300.0, metadata=_says("the longest a run waits for its agent"))
    probe_timeout: Seconds = field(
        default=30.0, metadata=_says("the longest a plugin may take to be looked at, or checked")
    )
    aliases: Annotated[dict[str, str], without_circles] = field(
        default_factory=dict, metadata=_says("other names for models")
    )
    providers: dict[str, ProviderSettings] = field(
        default_factory=dict, metadata=_says("addresses, keys and headers of providers, and compatible servers")
    )
    models: dict[str, ModelSettings] = field(
        default_factory=dict, metadata=_says('windows and prices of models: [models."provider:model"]')
    )
    budget: BudgetSettings = field(
        default_factory=BudgetSettings, metadata=_says("the most all runs may cost in a day, in a month; USD")
    )
    profile: ProfileSettings = field(
        default_factory=ProfileSettings, metadata=_says("who asks: compliance level, risk, markets")
    )
    plugins: PluginSettings = field(default_factory=PluginSettings, metadata=_says("which plugins may be used"))
    tool: ToolSettings = field(default_factory=ToolSettings, metadata=_says("preferences and timeouts of single tools"))
    mask: dict[str, str] = field(
        default_factory=dict, metadata=_says("further patterns of what is masked, by kind; needs finclaw-cli[re2]")
    )
    plugin: dict[str, dict[str, JsonValue]] = field(
        default_factory=dict, metadata=_says("settings of single plugins: [plugin.DIST]")
    )


# What a project's file may set: nothing that sends keys or data elsewhere, runs other code, or hides a refusal.
PROJECT_MAY_SET: frozenset[str] = frozenset(
    {
        "model", "fallback", "agent", "temperature", "max_output_tokens", "tools", "output", "events", "deltas",
        "stream", "plain", "as_of", "max_turns", "timeout", "first_chunk_timeout", "idle_timeout", "max_tool_calls",
        "max_result_chars", "stdin_timeout", "compaction", "keep_recent", "summary_timeout",
    }
)  # fmt: skip
# Of these the ones that bound what a run takes, which a project's file may only lower.
LIMITS: frozenset[str] = frozenset(
    {
        "max_output_tokens", "max_turns", "timeout", "first_chunk_timeout", "idle_timeout", "max_tool_calls",
        "max_result_chars", "stdin_timeout", "summary_timeout",
    }
)  # fmt: skip
TABLES: frozenset[str] = frozenset(
    {"aliases", "providers", "models", "budget", "profile", "plugins", "plugin", "tool", "mask"}
)


def variable(name: str) -> str:
    """The environment variable of a setting."""
    return "FINCLAW_" + name.upper()


PREFIX = variable("")
NAMES = tuple(item.name for item in fields(Settings))
VARIABLES = frozenset({*(variable(name) for name in NAMES if name not in TABLES), "FINCLAW_PLUGINS", "FINCLAW_HOME"})
