"""What a tool is, and the context of the call it serves."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import field, fields
from datetime import date
from pathlib import Path
from typing import Literal, Protocol

from finclaw_cli.core.json_text import ExactObject, JsonObject, JsonValue
from finclaw_cli.core.record import record

ToolGroup = Literal["finance", "web", "communication", "system", "data", "custom"]
Offer = Literal["always", "on-demand", "never"]


@record(kw_only=True)
class Group:
    """A group of tools."""

    description: str
    """What its tools are for: a verb phrase."""
    offer: Offer
    """When a model is offered its tools; `on-demand`: when they are asked for by name, or by a skill."""


GROUPS: Mapping[ToolGroup, Group] = {
    "finance": Group(description="look up and compute financial figures", offer="always"),
    "web": Group(description="read what is on the web", offer="always"),
    "communication": Group(description="read and send messages", offer="always"),
    "system": Group(description="read and change files and run programs on the user's machine", offer="on-demand"),
    "data": Group(description="read the user's own records", offer="on-demand"),
    "custom": Group(description="use what the user has installed beside these", offer="on-demand"),
}
"""The groups, as they are where the user's settings change nothing."""


@record(kw_only=True)
class Need:
    """Something a tool cannot work without, declared so that it can be checked without importing the tool.

    Exactly one of `file` (a path inside finclaw's data folder), `env` (a variable) and `program` (a command on the
    PATH) is given; `how` is the command or the words that help. Where a package may bring what would be in the file,
    `or_entry_points` names the group of entry points by which packages offer it.
    """

    how: str
    file: str | None = None
    or_entry_points: str | None = None
    env: str | None = None
    program: str | None = None


@record(kw_only=True)
class ToolSpec:
    """The declaration of a tool: what the manifest keeps and the model is offered."""

    name: str
    """`[a-z][a-z0-9_]{0,63}`."""
    description: str
    input_schema: JsonObject
    """A JSON Schema whose type is `object`."""
    group: ToolGroup = "custom"
    requires_approval: bool = False
    transactional: bool = False
    """Moves money or places orders: never runs without an approval."""
    sensitive: bool = False
    """Reads private financial data."""
    external: bool = False
    """Calls a service."""
    read_only: bool = False
    idempotent: bool = False
    serial: bool = False
    """Never overlaps another serial or transactional call of the same turn."""
    timeout_s: float | None = None
    needs: tuple[Need, ...] = ()
    examples: tuple[JsonObject, ...] = ()
    """Inputs that must work on a fresh installation: `finclaw tools check` makes these calls."""
    source: str = "builtin"
    """`builtin`, `plugin:<dist>`, `skill:<name>` or `mcp:<server>`."""
    toolset: str = ""
    """The toolset of its plugin that it belongs to; empty for a tool of its own. Set by the plugin host."""
    trusted: bool = False
    """Whether the user trusts the plugin it comes from. Set by the plugin host, never by the plugin."""

    @property
    def counted_group(self) -> ToolGroup:
        """The group that counts: its own, but a plugin that is not trusted cannot choose."""
        return self.group if self.is_trusted else "custom"

    @property
    def is_repeatable(self) -> bool:
        """Whether a call that was interrupted may run again without further question.

        Never for a transactional tool, whatever else it declares: what became of its calls is found out first.
        """
        return (self.read_only or self.idempotent) and not self.transactional

    @property
    def is_trusted(self) -> bool:
        return self.trusted or self.source == "builtin"


def declaration(tool: ToolSpec) -> ToolSpec:
    """The declaration of a tool alone, without what does the work."""
    return ToolSpec(**{each.name: getattr(tool, each.name) for each in fields(ToolSpec)})


ReconcileState = Literal["done", "not_found", "unknown"]


@record(kw_only=True)
class Reconciled:
    """What became of a transactional call, as its service reports it.

    `done`: it took effect, and `content` is its result. `not_found`: it had no effect. `unknown`: neither is certain.
    """

    state: ReconcileState
    content: object = None
    is_final: bool = False
    """Whether `not_found` cannot become `done` any more, so that the tool need not be asked again."""


class PlainText(str):
    """A tool's text that is to reach the model as it is, even where it looks like HTML: the source of a page, say."""

    __slots__ = ()


class Progress(Protocol):
    """Takes a report of how far a call has come."""

    def __call__(self, message: str, fraction: float | None = None) -> None: ...


def no_progress(message: str, fraction: float | None = None) -> None:
    """Progress without a listener."""


class Cancelled(Protocol):
    """Whether a call is to end: an `asyncio.Event`, whose module those that only look at tools need not import."""

    def is_set(self) -> bool: ...

    def set(self) -> None: ...

    async def wait(self) -> Literal[True]: ...


class Logger(Protocol):
    """The log of a tool: a `logging.Logger`, whose module is imported when a tool runs."""

    def debug(self, msg: object, *args: object) -> None: ...

    def info(self, msg: object, *args: object) -> None: ...

    def warning(self, msg: object, *args: object) -> None: ...

    def error(self, msg: object, *args: object) -> None: ...


def _logger() -> Logger:
    import logging

    return logging.getLogger("finclaw.tool")


def _no_secret(_name: str) -> str | None:
    return None


def _not_cancelled() -> Cancelled:
    import asyncio

    return asyncio.Event()


Secret = Callable[[str], str | None]


@record(kw_only=True)
class ToolContext:
    """What a running tool may know about its call. Injected; never shown to the model."""

    agent_id: str
    session_id: str
    run_id: str
    turn: int
    call_id: str
    idempotency_key: str
    """The same for the same call of the same turn, also after a crash: pass it on to services that know such keys."""
    home: Path
    """finclaw's data folder (`$FINCLAW_HOME`), for stores that a plugin keeps."""
    workspace: Path
    user: str
    channel: str
    input: ExactObject = field(default_factory=dict)
    """The call's input, for `reconcile`, which has no parameters of its own; else empty."""
    settings: Mapping[str, JsonValue] = field(default_factory=dict)
    """What the user's settings say for the tool's plugin: the table `[plugin.DIST]`. A project file cannot set it."""
    as_of: date | None = None
    """Nothing later than this date may be returned by a tool that reads."""
    cancelled: Cancelled = field(default_factory=_not_cancelled)
    logger: Logger = field(default_factory=_logger)
    progress: Progress = no_progress
    """`progress(message, fraction)`: tell the user how far long work has come; fraction in 0..1 or None."""
    secret: Secret = _no_secret
    """`secret(NAME)`: a key of the user, from the variable NAME or from the system's keyring (service `finclaw`); None
    where there is none. What it returns is masked in results, events and transcripts."""


RECONCILE_AFTER_S = 15.0
"""How long after a call a service may not know it yet, where its tool does not say."""
LONGEST_RECONCILE_AFTER_S = 120.0

ToolHandler = Callable[[ExactObject, ToolContext], Awaitable[object]]
Reconcile = Callable[[str, ToolContext], Awaitable[Reconciled]]


@record(kw_only=True)
class ToolDefinition(ToolSpec):
    """A tool that can be run: its description, and what does the work.

    `handler` gets the validated input. `validate` returns the problems it found, one line each (none: the input is
    good); without one the input is checked against `input_schema`.
    """

    handler: ToolHandler
    validate: Callable[[ExactObject], list[str]] | None = None
    reconcile: Reconcile | None = None
    reconcile_after_s: float = RECONCILE_AFTER_S
    """How long after a call its service may not know it yet, in seconds: an earlier `not_found` is asked again."""
    preview: ToolHandler | None = None
    """Describes what the call would do (a diff, an order ticket), for the user who approves it. Changes
    nothing."""
    declared_by: str = ""
    """Where it was written, for messages: `module:qualname`."""
