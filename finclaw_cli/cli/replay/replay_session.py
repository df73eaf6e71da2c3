"""Streaming of a recorded session to stdout, through the sinks of a run."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from typing import NoReturn

from finclaw_cli.cli.leave import leave
from finclaw_cli.cli.run.outputs import Outputs, failed_output, main_sink, open_stream, verbosity
from finclaw_cli.cli.terminal.signals import SignalHandling
from finclaw_cli.core import exits
from finclaw_cli.core.bus import PIECES, sinks_of_deltas
from finclaw_cli.core.errors import FinclawError, UsageError
from finclaw_cli.core.events.agent import AgentResult, Emitted
from finclaw_cli.core.ports import EventSink
from finclaw_cli.core.record import record
from finclaw_cli.engine.cancel import CancelScope, RunCancelled
from finclaw_cli.output.notice import notice
from finclaw_cli.output.notices import Notices
from finclaw_cli.output.stream import take_stdout
from finclaw_cli.settings.load import load_settings
from finclaw_cli.settings.model import Settings
from finclaw_cli.settings.paths import sessions_folder
from finclaw_cli.transcript.reader import Damage, Found, read, read_file
from finclaw_cli.transcript.replay import events_of, within_turns
from finclaw_cli.transcript.store import SessionStore

STDIN = "-"
# Longer pauses between events, such as those of an idle user, are cut to this.
LONGEST_PAUSE_S = 5.0


@record(kw_only=True)
class Replay:
    """The options of the command line."""

    session: str
    flags: Mapping[str, object]
    speed: str
    first: int
    last: int | None
    quiet: bool
    verbose: bool
    live_tools: bool = False


def replay_session(wanted: Replay) -> NoReturn:
    """Replay and end the process: with 0, or 10 where the transcript is damaged or has no end.

    Raises:
        UsageError: there is no such session, or an option is invalid.
    """
    settings = load_settings(wanted.flags).settings
    speed = _speed(wanted.speed)
    pace = None if speed is None else _Pace(speed)
    events = events_of(records(wanted.session))
    is_part = wanted.first != 1 or wanted.last is not None
    if is_part:
        _check_part(wanted, settings)
        events = within_turns(events, wanted.first, wanted.last)
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    outputs = Outputs(fd=take_stdout(), quiet=wanted.quiet, verbose=wanted.verbose)
    leave(asyncio.run(_stream(events, settings, outputs, pace, is_part=is_part)))


def records(session: str) -> Iterator[Found]:
    """The records of a session, a file, or stdin.

    Raises:
        UsageError: there is no such session.
    """
    if session == STDIN:
        return read(sys.stdin.buffer)
    return read_file(SessionStore(sessions_folder()).find(session))


def damage_text(damage: Damage) -> str:
    """What to write of a place where the transcript is damaged, with the command that repairs it."""
    return (
        f"finclaw: the transcript is damaged at byte {damage.offset}: {damage.reason}\n"
        "`finclaw sessions repair SESSION` shows the damage and repairs the file; --dry-run changes nothing."
    )


def _check_part(wanted: Replay, settings: Settings) -> None:
    if wanted.first < 1 or (wanted.last is not None and wanted.last < wanted.first):
        raise UsageError("--from and --to are turns, counted from 1 through the whole session, --to not before --from")
    if settings.output == "json":
        raise UsageError(
            "some turns have no result of their own", hint="Use -o ndjson or -o text with --from and --to."
        )


def _speed(text: str) -> float | None:
    """The factor of speed; None for no pauses."""
    if text == "max":
        return None
    try:
        speed = float(text)
    except ValueError:
        speed = 0.0
    if not 0 < speed < float("inf"):
        raise UsageError(f"--speed is a number above 0, or max, not {text!r}", hint="1 is the recorded speed.")
    return speed


class _Pace:
    """Keeps the recorded pauses between events."""

    def __init__(self, speed: float) -> None:
        self._speed = speed
        self._last: datetime | None = None

    async def keep(self, at: datetime) -> None:
        if self._last is not None:
            pause_s = min(max((at - self._last).total_seconds(), 0.0), LONGEST_PAUSE_S)
            await asyncio.sleep(pause_s / self._speed)
        self._last = at


async def _stream(
    events: Iterator[Emitted | Damage], settings: Settings, outputs: Outputs, pace: _Pace | None, *, is_part: bool
) -> int:
    scope = CancelScope()
    SignalHandling(scope).attach(asyncio.get_running_loop())
    stream = open_stream(outputs, scope)
    stream.watch_reader()
    sinks = [main_sink(settings, outputs, stream), Notices(replace(verbosity(settings, outputs), live=False))]
    code = exits.OK
    try:
        code = await scope.run(_send(events, sinks, pace, is_part=is_part))
    except RunCancelled as cancelled:
        code = cancelled.exit_code
    except OSError as error:
        raise FinclawError(f"the transcript cannot be read: {error.strerror}") from error
    finally:
        await stream.drained()
        stream.unwatch()
    return code if code or stream.failure is None else failed_output(stream.failure).exit_code


async def _send(
    events: Iterator[Emitted | Damage], sinks: list[EventSink], pace: _Pace | None, *, is_part: bool
) -> int:
    last: Emitted | None = None
    of_pieces = sinks_of_deltas(sinks)
    for item in events:
        if isinstance(item, Damage):
            notice(damage_text(item))
            return exits.REPLAY
        if pace is not None:
            await pace.keep(item.at)
        for sink in of_pieces if isinstance(item.event, PIECES) else sinks:
            await sink.take(item)
        last = item
    if is_part and last is None:
        notice("finclaw: the session has no such turn")
        return exits.USAGE
    if not is_part and (last is None or not isinstance(last.event, AgentResult)):
        notice("finclaw: the transcript has no end: the run was killed, or goes on")
        return exits.REPLAY
    return exits.OK
