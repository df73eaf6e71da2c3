"""The shapes of bodies and answers, for the documentation of the API and its test."""

from __future__ import annotations

from typing import Literal

from typing_extensions import TypedDict  # pydantic reads no other before Python 3.12

from finclaw_cli.core.events.agent import AgentResult
from finclaw_cli.core.events.parts import CallStatus, RunStatus
from finclaw_cli.core.json_text import JsonObject, JsonValue
from finclaw_cli.listings.models import ModelRow

Models = list[ModelRow]


class Health(TypedDict):
    """The server runs."""

    status: Literal["ok"]


class StartedRun(TypedDict):
    """A run that was started, and where its events are."""

    run_id: str
    session_id: str
    events: str


class Run(TypedDict):
    """A run; times are UTC. `result` is that of `agent.result`; one that was killed has the error `run_lost`."""

    run_id: str
    session_id: str
    status: RunStatus | Literal["running"]
    started: str | None
    finished: str | None
    result: AgentResult | None


class CancelledRun(TypedDict):
    """A run that is being ended."""

    run_id: str


class PendingApproval(TypedDict):
    """A call that waits for its approval."""

    id: str
    run_id: str
    session_id: str
    asked: str
    call_id: str
    name: str
    source: str
    input: JsonObject
    transactional: bool
    stage: str
    reason: str
    preview: str


class _Decision(TypedDict):
    decision: Literal["allow", "deny"]


class Decision(_Decision, total=False):
    """The answer to a request for an approval; the reason is for the model."""

    reason: str | None


class Answered(TypedDict):
    """An answer that counts."""

    id: str
    decision: Literal["allow", "deny"]
    by: str


class Holder(TypedDict):
    """The process that writes a session."""

    pid: int | None
    host: str | None
    since: str | None
    started: JsonValue


class SessionFacts(TypedDict):
    """A session, as `finclaw sessions list --json` prints it."""

    name: str
    path: str
    began: str | None
    written: str
    bytes: int
    question: str
    status: str | None
    in_use: bool
    holder: Holder | None
    tags: list[str]
    note: str | None


class Hit(TypedDict):
    """A message that was found, as `finclaw sessions search --json` prints it."""

    session: str
    turn: int
    at: str
    role: str
    text: str


class FoundSession(SessionFacts, total=False):
    """A session of a list; with `query` also some of the messages that were found, and how many there are."""

    hits: list[Hit]
    found: int


class SessionPage(TypedDict):
    """Some sessions. `next` is the `cursor` of the next page, null on the last one; `warnings` is about other files."""

    sessions: list[FoundSession]
    next: str | None
    warnings: list[str]


class Session(SessionFacts):
    """One session: its messages, runs and calls; the events of each run are those of the run.

    `damage` names what cannot be read of its file, `warnings` what cannot be read of others.
    """

    finclaw_version: str | None
    models: list[str]
    runs: list[JsonObject]
    messages: list[JsonObject]
    calls: list[JsonObject]
    damage: list[JsonObject]
    warnings: list[str]


class Cost(TypedDict):
    """What requests have cost, as `finclaw cost --json` prints it; amounts are USD, null where unknown."""

    by: list[str]
    since: str | None
    until: str | None
    session: str | None
    run: str | None
    rows: list[JsonObject]
    total: JsonObject


class Tool(TypedDict):
    """A tool, as `finclaw tools show --json` prints it."""

    name: str
    qualified_name: str
    group: str
    source: str
    description: str
    flags: list[str]
    timeout_s: float | None
    state: str
    how: str
    clash: bool
    input_schema: JsonObject


class Setting(TypedDict):
    """The value of a setting, and where it comes from."""

    value: JsonValue
    origin: str


class _Question(TypedDict):
    tool: str


class PolicyQuestion(_Question, total=False):
    """A tool, and the channel (`serve`) and the user (that of the server) of a run that would call it."""

    channel: str | None
    user: str | None


class Explanation(TypedDict):
    """Why the policy decides as it does, as `finclaw policy explain --json` prints it."""

    tool: str
    source: str
    group: str
    channel: str
    user: str
    decision: Literal["allow", "deny", "require-approval"]
    stage: str
    reason: str
    stages: list[JsonObject]
    files: list[str]


class Error(TypedDict):
    """Why a request is not answered: a stable code, a message, and what to do next."""

    code: str
    message: str
    hint: str | None


class Refusal(TypedDict):
    """The body of each answer that is an error."""

    error: Error


class Texts(TypedDict):
    """Texts of Markdown."""

    texts: list[str]


class Rendered(TypedDict):
    """The same as HTML, of few elements and no scripts."""

    html: list[str]


ToolInput = JsonObject


class ToolResult(TypedDict):
    """How a call of a tool ended; `masked` counts the masked pieces of each kind."""

    name: str
    status: CallStatus
    content: str
    is_error: bool
    duration_ms: int
    masked: dict[str, int]
