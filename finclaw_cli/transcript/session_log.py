"""Writes one session down while it happens: every event, every message, and each call before and after it runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime

from finclaw_cli.core.clock import Clock
from finclaw_cli.core.errors import OutputFailed
from finclaw_cli.core.events.agent import AgentResult, Emitted
from finclaw_cli.core.events.approval import AgentApproval
from finclaw_cli.core.events.budget import Purpose, SidePurpose
from finclaw_cli.core.events.lines import payload_json
from finclaw_cli.core.events.parts import RunStatus
from finclaw_cli.core.json_text import JsonObject, canonical
from finclaw_cli.core.messages import Message, ToolCall, ToolResult
from finclaw_cli.core.ports import Earlier, ModelRequest, SideReply, ToolChange
from finclaw_cli.core.secrets import KnownSecrets
from finclaw_cli.core.tool import ToolContext, ToolSpec
from finclaw_cli.core.uncancelled import uncancelled
from finclaw_cli.transcript.declarations import tools_data
from finclaw_cli.transcript.lines import FORMAT
from finclaw_cli.transcript.messages import message_data
from finclaw_cli.transcript.pending import PendingWriter, RecordWriter
from finclaw_cli.transcript.requests import REPLY_RECORDS, request_data
from finclaw_cli.transcript.session import Copied, Session
from finclaw_cli.transcript.writer import TranscriptWriter, record_failed

# A reader of these may act on them: they survive a loss of power.
_DURABLE = frozenset({AgentApproval, AgentResult})


class RecordLog:
    """A sink for events, a chronicle of messages and a journal of calls, all in the order in which things happened.

    When the writer fails, `on_failed` is called once, and no call runs any more: what it did could not be known
    afterwards.
    """

    def __init__(
        self,
        writer: RecordWriter,
        earlier: Mapping[str, Earlier],
        *,
        clock: Clock,
        secrets: KnownSecrets,
        on_failed: Callable[[OutputFailed], None],
        copied: Copied | None = None,
    ) -> None:
        self._copied = copied
        self._writer = writer
        self._earlier = earlier
        self._clock = clock
        self._secrets = secrets
        self._on_failed = on_failed
        self._failure: OutputFailed | None = None
        self._run_id = ""
        self._durable_keys: set[str] = set()

    def begin_run(self, run_id: str, about: JsonObject) -> None:
        """What is kept from now on belongs to this run, with these inputs beside its messages."""
        self._run_id = run_id
        self._keep("run", about)

    def untold(self, status: RunStatus, exit_code: int) -> None:
        """Record that the process ends otherwise than its last result, which could not be shown."""
        if self._failure is None:
            self._keep("exit", {"status": status, "exit_code": exit_code})

    def reported(self) -> None:
        """Record that the outputs have taken the last result, and with it the names of tools with unknown outcomes."""
        if self._failure is None:
            self._keep("reported", {})

    async def take(self, emitted: Emitted) -> None:
        """Keep an event, from which secrets have been taken out.

        Raises:
            OutputFailed: a result is about to be shown as if all had been kept.
        """
        event = emitted.event
        if self._failure is None:
            durable = event.__class__ in _DURABLE
            try:
                self._writer.append(event.type, emitted.at, emitted.run_id, payload_json(event), durable=durable)
            except OutputFailed as failure:
                self._given_up(failure)
            if isinstance(event, AgentResult):
                await self._copy()
        # By now nothing may be left that could be cancelled.
        if self._failure is not None and isinstance(event, AgentResult) and event.error is None:
            raise self._failure

    async def add_message(self, message: Message) -> None:
        """Keep a message of the conversation."""
        if self._failure is None:
            self._keep("message", message_data(message))
            if message.role != "user":
                await self._copy()

    async def add_request(
        self, request: ModelRequest, *, provider: str, turn: int, attempt: int, purpose: Purpose = "turn"
    ) -> None:
        """Keep what a model is asked: its parameters, and what distinguishes two requests."""
        if self._failure is None:
            data = request_data(request, self._secrets, provider=provider, turn=turn, attempt=attempt, purpose=purpose)
            self._keep("request", data)

    async def add_tools(self, change: ToolChange, turn: int) -> None:
        """Keep which tools a model is offered from a turn on, with the declarations of those that may change again."""
        if self._failure is None:
            self._keep("tools", tools_data(change, turn))

    async def add_reply(self, reply: SideReply, purpose: SidePurpose) -> None:
        """Keep what a model wrote when it was asked for something else than a turn, or why it wrote nothing."""
        if self._failure is None:
            kind = REPLY_RECORDS[purpose]
            self._keep(kind, {"text": reply.text, "error": reply.error, "reason": reply.reason})

    async def compacted(self, messages: tuple[Message, ...]) -> None:
        """Keep what stands for the conversation from now on."""
        if self._failure is None:
            self._keep("compaction", {"messages": [message_data(message) for message in messages]})

    def earlier(self, call: ToolCall) -> Earlier | None:
        """What was kept of a call of the last turn of an earlier run."""
        return self._earlier.get(call.id)

    async def intend(self, call: ToolCall, spec: ToolSpec, context: ToolContext) -> None:
        """Keep that a call is about to run.

        Raises:
            OutputFailed: that cannot be kept, so it must not run.
        """
        key = context.idempotency_key
        is_durable = not spec.read_only or spec.transactional
        if is_durable:
            self._durable_keys.add(key)
        data: JsonObject = {
            "key": key,
            "turn": context.turn,
            "call_id": call.id,
            "name": call.name,
            "input": canonical(call.input),
            "read_only": spec.read_only,
            "idempotent": spec.idempotent,
            "transactional": spec.transactional,
        }
        if failure := self._keep("tool_intent", data, durable=is_durable):
            raise failure
        if is_durable and (failure := await self._copy()):
            raise failure

    async def record(self, call: ToolCall, context: ToolContext, result: ToolResult, *, is_known: bool = True) -> None:
        """Keep how a call ended."""
        key = context.idempotency_key
        data: JsonObject = {"key": key, "call_id": call.id, "content": result.content, "is_error": result.is_error}
        if not is_known:
            data["unknown"] = True
        self._keep("tool_outcome", data, durable=key in self._durable_keys)
        if key in self._durable_keys:
            await self._copy()

    def close(self) -> None:
        """Close the file. May be called more than once."""
        self._writer.close()

    def _keep(self, kind: str, data: JsonObject, *, durable: bool = False) -> OutputFailed | None:
        """Keep what is no event, and so may still have secrets in it."""
        try:
            self._writer.append(kind, self._clock.now(), self._run_id, self._without_secrets(data), durable=durable)
        except OutputFailed as failure:
            return self._given_up(failure)
        return None

    async def _copy(self) -> OutputFailed | None:
        """Keep all of it elsewhere, too; what is cancelled meanwhile is so once that is done."""
        if self._copied is None or self._failure is not None:
            return self._failure
        try:
            await uncancelled(self._copied())
        except OutputFailed as failure:
            return self._given_up(failure)
        return None

    def _without_secrets(self, data: JsonObject) -> JsonObject:
        masked = self._secrets.mask_value(data)
        return masked if isinstance(masked, dict) else data

    def _given_up(self, failure: OutputFailed) -> OutputFailed:
        if self._failure is None:
            self._failure = failure
            self._on_failed(failure)
        return failure


def session_log(
    session: Session,
    about: JsonObject,
    *,
    clock: Clock,
    secrets: KnownSecrets,
    on_failed: Callable[[OutputFailed], None],
) -> RecordLog:
    """The log of a session, in its file, which is written as soon as a run has started."""

    def open_writer(at: datetime, run_id: str) -> RecordWriter:
        try:
            return _opened(session, about, at, run_id)
        except OSError as error:
            raise record_failed(session.path, error) from error

    earlier = session.history.earlier if session.history else {}
    writer = PendingWriter(open_writer)
    return RecordLog(writer, earlier, clock=clock, secrets=secrets, on_failed=on_failed, copied=session.copied)


def _opened(session: Session, about: JsonObject, at: datetime, run_id: str) -> TranscriptWriter:
    if session.writer is not None:
        return session.writer
    writer = TranscriptWriter.create(session.path)
    writer.append("session", at, run_id, {"format": FORMAT, **about})
    return writer
