"""Calling a tool by hand: the same pipeline as in a run, without a model."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import NoReturn

from finclaw_cli.cli.leave import leave
from finclaw_cli.cli.listing import installed
from finclaw_cli.cli.plan import context_maker
from finclaw_cli.core import exits
from finclaw_cli.core.bus import Bus
from finclaw_cli.core.clean import clean
from finclaw_cli.core.clock import SystemClock
from finclaw_cli.core.errors import UsageError
from finclaw_cli.core.events import AgentToolCall, Emitted
from finclaw_cli.core.finance import DO_NOT_ESTIMATE
from finclaw_cli.core.ids import new_run_id
from finclaw_cli.core.json_text import ExactObject, ExactValue, InvalidJson, JsonObject, parse_object, well_formed
from finclaw_cli.core.messages import ToolCall
from finclaw_cli.output.notices import notice
from finclaw_cli.output.stream import take_stdout
from finclaw_cli.policy.finance import FinanceSafety, NobodyToAsk
from finclaw_cli.settings.load import load_settings
from finclaw_cli.settings.model import Settings
from finclaw_cli.tools.executor import Doors, Executor, ExecutorSettings
from finclaw_cli.tools.passthrough import NoHooks, NoJournal
from finclaw_cli.tools.registry import ToolEntry, ToolRegistry
from finclaw_cli.tools.validate import problems

WHOLE = 100_000_000


class _LastCall:
    """Keeps the end of the call, for the exit code."""

    status: str = "failed"

    async def take(self, emitted: Emitted) -> None:
        if isinstance(emitted.event, AgentToolCall):
            self.status = emitted.event.status


def call_tool(
    name: str, arguments: list[str], json_input: str | None, *, as_of: str | None, timeout: float | None
) -> NoReturn:
    """Call the tool and print its result; the exit code says whether it worked."""
    settings = load_settings({"as_of": as_of}).settings
    entry = installed().tools.require(name)
    given = _from_json(json_input) if json_input is not None else _from_pairs(arguments, entry.spec.input_schema)
    if found := problems(ToolCall("call_by_hand", name, given), entry.load()):
        raise UsageError(f"{name}: " + "; ".join(found), hint=f"`finclaw tools show {name}` says what it takes.")
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    private = take_stdout()
    content, status = asyncio.Runner().run(_call(entry, given, settings, timeout))
    if status == "completed":
        _print(private, content)
        leave(exits.OK)
    notice(f"finclaw: {content.removesuffix(DO_NOT_ESTIMATE).rstrip()}")  # that advice is for models
    leave(exits.NEEDS_HUMAN if status == "denied" else exits.UNEXPECTED)


def _print(fd: int, content: str) -> None:
    text = clean(content) if os.isatty(fd) else content
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # a reader that leaves ends us as it ends any command
    with os.fdopen(fd, "w", encoding="utf-8", errors="replace") as stdout:
        stdout.write(text + "\n")


async def _call(entry: ToolEntry, given: ExactObject, settings: Settings, timeout_s: float | None) -> tuple[str, str]:
    run_id = new_run_id()
    last = _LastCall()
    executor = Executor(
        ToolRegistry([entry]),
        Doors(policy=FinanceSafety(), approver=NobodyToAsk(), journal=NoJournal(), hooks=NoHooks()),
        context_maker(settings, run_id, run_id, "tty"),
        ExecutorSettings(max_result_chars=WHOLE, timeouts_s=_timeouts(entry, settings, timeout_s)),
        Bus(run_id, SystemClock(), [last]).emit,
    )
    result = await executor.answer(ToolCall("call_by_hand", entry.spec.name, given), turn=1)
    return result.content, last.status


def _timeouts(entry: ToolEntry, settings: Settings, timeout_s: float | None) -> Mapping[str, float]:
    return {entry.spec.name: timeout_s} if timeout_s is not None else settings.tool.timeouts


def _from_json(given: str) -> ExactObject:
    try:
        if given.lstrip().startswith("{"):
            return parse_object(given)
        text = sys.stdin.read() if given == "-" else Path(given).read_text("utf-8")
        return parse_object(text)
    except OSError as error:
        raise UsageError(f"--json {given}: {error.strerror}") from error
    except (InvalidJson, UnicodeDecodeError) as error:
        raise UsageError(f"--json {given}: {error}") from error


def _from_pairs(arguments: list[str], schema: JsonObject) -> ExactObject:
    """Read `key=value` words: as text where the schema wants text, else as JSON where it is JSON."""
    properties = schema.get("properties")
    known = properties if isinstance(properties, dict) else {}
    given: ExactObject = {}
    for argument in arguments:
        key, equals, text = argument.partition("=")
        if not equals or not key:
            raise UsageError(f"{argument!r} is not KEY=VALUE", hint=f"Known keys: {', '.join(known) or 'none'}.")
        given[key] = _value(well_formed(text), known.get(key))
    return given


def _value(text: str, schema: object) -> ExactValue:
    kinds = _kinds(schema)
    if "string" in kinds and not kinds & {"number", "integer"}:
        return text
    try:
        return parse_object(f'{{"v":{text}}}')["v"]
    except InvalidJson:
        return text


def _kinds(schema: object) -> set[str]:
    if not isinstance(schema, dict):
        return set()
    options = [schema, *schema.get("anyOf", ())]
    kinds = {option.get("type") for option in options if isinstance(option, dict)}
    kinds |= {"string"} if "enum" in schema else set()
    return {kind for kind in kinds if isinstance(kind, str)}
