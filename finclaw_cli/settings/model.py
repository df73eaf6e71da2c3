"""Every setting, once: its name, its type, its default, and who may set it (`Declaration`).

The same name is used everywhere: the setting `max_turns` is the option `--max-turns`, the variable
`FINCLAW_MAX_TURNS`, the key `max_turns` of a settings file, and the argument `max_turns` of an `Agent`. Times are
seconds.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field, fields
from datetime import date
from typing import Annotated, Any, Literal

from finclaw_cli.core.checked import Within
from finclaw_cli.core.dist_names import dist_name
from finclaw_cli.core.json_text import JsonValue
from finclaw_cli.core.record import record
from finclaw_cli.settings.tables import (
    BudgetSettings,
    Count,
    Dollars,
    Filled,
    GroupSettings,
    ModelSettings,
    Name,
    PluginSettings,
    ProfileSettings,
    ProviderSettings,
    Seconds,
    Share,
    ToolSettings,
    known_groups,
    without_circles,
)

UNNAMED_AGENT = "default"
"""The agent of a run that names none, and so waits for no run of another process."""
HelpGroup = Literal["Question", "Model", "System prompt", "Tools and approvals", "Answer", "Limits", "Conversation"]


@record(kw_only=True)
class Declaration:
    """What is declared of one setting."""

    description: str
    """A noun phrase, for the reference, `config show`, help pages and `Agent`."""
    group: HelpGroup | None = None
    """Where help pages list the option of `finclaw run`; None: there is no option."""
    short: str | None = None
    """The short name of the option."""
    metavar: str | None = None
    completes: Literal["model", "tool"] | None = None
    project: Literal["no", "lower", "any"] = "no"
    """Whether a project's file may set it; a limit may only be lowered there."""
    guards: bool = False
    """Whether a variable that is nearly named like it is an error: it limits, protects, or sends data elsewhere."""
    terminal: bool = False
    """Whether it is about stdin, stdout or the terminal, and so no option of an `Agent`."""


def setting(default: object, description: str, **declared: Any) -> Any:
    """Declare a setting; a type as the default makes a new value for each.

    Args:
        default: the value where nothing else is set.
        description: see `Declaration`.
        **declared: the other fields of `Declaration`.
    """
    metadata = {"description": description, **declared}
    if isinstance(default, type):
        make: Callable[[], object] = default
        return field(default_factory=make, metadata=metadata)
    return field(default=default, metadata=metadata)


@record(kw_only=True)
class Settings:
    """What holds for this run."""

    model: Filled | None = setting(
        None,
        "the model to ask: provider:model, or a name a provider recognises",
        group="Model",
        short="-m",
        completes="model",
        project="any",
    )
    fallback: list[str] = setting(
        list, "models that take over, in this order, when the one before fails", group="Model", project="any"
    )
    base_url: Filled | None = setting(None, "another address for the model's provider", group="Model", guards=True)
    transport: Literal["direct", "sdk"] | None = setting(
        None,
        "how a provider is reached: over HTTP directly, or by its SDK; else as its credentials need",
        group="Model",
    )
    agent: Name = setting(
        UNNAMED_AGENT,
        "the agent of the run, whose other runs it waits for; by default none is named",
        group="Conversation",
        project="any",
    )
    system: str | None = setting(
        None, "the system prompt, in place of finclaw's own", group="System prompt", short="-s"
    )
    prompt_mode: Literal["full", "minimal", "none"] = setting(
        "full",
        "how many sections finclaw's own system prompt has; minimal: identity, tools, rules",
        group="System prompt",
    )
    prompt_tokens: Count | None = setting(
        None, "the most tokens finclaw's own system prompt may have; what is optional goes first", group="System prompt"
    )
    temperature: Annotated[float, Within(0, 2)] | None = setting(
        None, "sampling temperature, where the model takes one", group="Model", project="any"
    )
    max_output_tokens: Count | None = setting(
        None, "the most tokens one turn may have", group="Model", project="lower", guards=True
    )
    tools: list[str] | None = setting(
        None,
        "the tools to offer: names, globs, or GROUP:GLOB; none for no tool",
        group="Tools and approvals",
        short="-t",
        completes="tool",
        project="any",
        guards=True,
    )
    output: Literal["text", "ndjson", "json"] = setting(
        "text", "what stdout carries", group="Answer", short="-o", project="any", terminal=True
    )
    events: Literal["agent", "all"] = setting(
        "agent", "which families of events NDJSON carries", group="Answer", project="any", terminal=True
    )
    deltas: bool = setting(True, "whether NDJSON carries deltas", group="Answer", project="any", terminal=True)
    stream: bool = setting(
        False, "write text as it comes, also where stdout is no terminal", group="Answer", project="any", terminal=True
    )
    plain: bool = setting(
        False, "no colours, no Markdown, no live display", group="Answer", project="any", terminal=True
    )
    save: bool = setting(True, "keep each run's events in the data folder", group="Conversation", guards=True)
    verify_numbers: Literal["off", "warn", "fail"] = setting(
        "off",
        "trace the numbers of the answer to tools; fail: exit code 12 where one has no source",
        group="Answer",
        guards=True,
    )
    number_sources: Literal["model", "rules"] = setting(
        "model",
        "who gives the source of a figure that rules do not find: the model, in one more request, or nothing",
        group="Answer",
        guards=True,
    )
    on_denied: Literal["fail", "continue"] = setting(
        "fail", "whether a denied tool makes the exit code 8", group="Tools and approvals", guards=True
    )
    as_of: date | None = setting(
        None,
        "tools return nothing later than this date",
        group="Tools and approvals",
        metavar="DATE",
        project="any",
        guards=True,
    )
    max_turns: Count = setting(10, "the most turns of a run", group="Limits", project="lower", guards=True)
    max_cost: Dollars | None = setting(
        None, "the most a run may cost, in USD; checked before each request", group="Limits", metavar="USD", guards=True
    )
    timeout: Seconds = setting(600.0, "the longest a run may take", group="Limits", project="lower", guards=True)
    first_chunk_timeout: Seconds = setting(
        60.0, "the longest to wait for a model's first word", group="Limits", project="lower"
    )
    idle_timeout: Seconds = setting(60.0, "the longest a stream may stand still", group="Limits", project="lower")
    max_tool_calls: Count = setting(100, "the most tool calls of a run", group="Limits", project="lower", guards=True)
    max_result_chars: Count = setting(
        10_000, "the most characters of a tool's result a model gets", group="Tools and approvals", project="lower"
    )
    stdin_timeout: Annotated[float, Within(0, 3_600)] = setting(
        3.0,
        "how long to wait for a silent stdin's first byte",
        metavar="SECONDS",
        group="Question",
        project="lower",
        terminal=True,
    )
    approve: list[str] = setting(
        list,
        "tools approved in advance; one that moves money has to be named",
        group="Tools and approvals",
        completes="tool",
        guards=True,
    )
    approval: Literal["terminal", "stdio", "none"] = setting(
        "terminal", "where approvals are asked for", group="Tools and approvals", guards=True, terminal=True
    )
    approval_timeout: Seconds = setting(
        300.0, "the longest to wait for an approval; then it is a no", group="Tools and approvals"
    )
    policy: list[str] = setting(
        list,
        "further policy files, beside the user's and the project's",
        group="Tools and approvals",
        metavar="FILE",
        guards=True,
    )
    retry_attempts: Count = setting(3, "how often a request is made before it counts as failed", group="Model")
    retry_base: Seconds = setting(1.0, "the first delay between attempts")
    retry_cap: Seconds = setting(30.0, "the longest delay between attempts")
    retry_jitter: Share = setting(0.2, "the share by which delays vary")
    compaction: Literal["truncate-tools", "truncate-oldest", "summarize", "hybrid"] = setting(
        "hybrid", "how a conversation that fills the window is made smaller", group="Conversation", project="any"
    )
    keep_recent: Count = setting(
        6, "how many of the last messages are never touched by that", group="Conversation", project="any"
    )
    summary_model: Filled | None = setting(
        None, "the model that writes summaries; else the one that is asked", group="Conversation", completes="model"
    )
    summary_timeout: Seconds = setting(
        60.0, "the longest a summary may take; then it is done without", group="Conversation", project="lower"
    )
    lane_max_running: Count = setting(1, "how many runs an agent may have under way")
    lane_max_queued: Count = setting(100, "how many runs may wait for an agent")
    lane_wait: Seconds = setting(300.0, "the longest a run waits for its agent")
    lane_unnamed: bool = setting(False, "whether runs that name no agent wait for each other, too")
    probe_timeout: Seconds = setting(30.0, "the longest a plugin may take to be looked at, or checked")
    aliases: Annotated[dict[str, str], without_circles] = setting(dict, "other names for models")
    providers: dict[str, ProviderSettings] = setting(
        dict, "addresses, keys and headers of providers, and compatible servers", guards=True
    )
    models: dict[str, ModelSettings] = setting(
        dict, 'windows, prices and rate limits of models: [models."provider:model"]'
    )
    budget: BudgetSettings = setting(
        BudgetSettings, "the most all runs may cost in a day, in a month; USD", guards=True
    )
    profile: ProfileSettings = setting(ProfileSettings, "who asks: compliance level, risk, markets")
    plugins: PluginSettings = setting(PluginSettings, "which plugins may be used", guards=True)
    tool: ToolSettings = setting(ToolSettings, "preferences and timeouts of single tools", guards=True)
    groups: Annotated[dict[str, GroupSettings], known_groups] = setting(
        dict, "when the tools of a group are offered: [groups.NAME] offer = always, on-demand or never", guards=True
    )
    mask: dict[str, str] = setting(
        dict, "further patterns of what is masked, by kind; needs finclaw-cli[re2]", guards=True
    )
    plugin: dict[str, dict[str, JsonValue]] = setting(dict, "settings of single plugins: [plugin.DIST]")
    mcp: dict[str, JsonValue] = setting(
        dict, "servers of the Model Context Protocol, for finclaw-mcp: [mcp.servers.NAME]", guards=True
    )


MCP = "finclaw-mcp"
"""The plugin whose settings are the table `[mcp]`."""


def settings_of_plugins(settings: Settings) -> dict[str, dict[str, JsonValue]]:
    """The settings of each plugin that has any, by the normalised name of its distribution."""
    own = {MCP: settings.mcp} if settings.mcp else {}
    return {**{dist_name(name): table for name, table in settings.plugin.items()}, **own}


def declarations() -> dict[str, Declaration]:
    """What is declared of each setting, by its name."""
    return {item.name: Declaration(**item.metadata) for item in fields(Settings)}


def variable(name: str) -> str:
    """The environment variable of a setting."""
    return "FINCLAW_" + name.upper()


PREFIX = variable("")
NAMES = tuple(item.name for item in fields(Settings))
TABLES: frozenset[str] = frozenset(
    {"aliases", "providers", "models", "budget", "profile", "plugins", "plugin", "tool", "groups", "mask", "mcp"}
)
OTHERS = ("FINCLAW_PLUGINS", "FINCLAW_HOME", "FINCLAW_SERVE_TOKEN", "FINCLAW_DATABASE_URL")
VARIABLES = frozenset({*(variable(name) for name in NAMES if name not in TABLES), *OTHERS})
