"""`finclaw replay --verify`, `--live-tools`: a recorded session made again, and its differences."""

from __future__ import annotations

import json
import signal
from collections.abc import Iterator
from typing import NoReturn

from finclaw_cli.app.inventory import find_skills
from finclaw_cli.app.plan import find_installed
from finclaw_cli.cli.leave import leave
from finclaw_cli.cli.listing import print_facts
from finclaw_cli.cli.plugins.event_loop import plugin_runner
from finclaw_cli.cli.replay.replay_session import Replay, damage_text, records
from finclaw_cli.cli.replay.verify_run import Present, run_again
from finclaw_cli.core import exits
from finclaw_cli.core.clean import clean_line
from finclaw_cli.core.errors import UsageError
from finclaw_cli.core.json_text import JsonValue
from finclaw_cli.output.console import counted, echo
from finclaw_cli.output.notice import notice
from finclaw_cli.output.stream import print_to, take_stdout
from finclaw_cli.settings.load import load_settings
from finclaw_cli.settings.model import Settings
from finclaw_cli.tools.blocked import ended_after
from finclaw_cli.tools.processes.forks import keep_private
from finclaw_cli.transcript.compare import Comparison, Difference, Judge, Results
from finclaw_cli.transcript.reader import Damage
from finclaw_cli.transcript.recording import RunRecording, runs_of

SHOWN_CHARS = 200
SHOWN_BEFORE = 60


def verify_session(wanted: Replay) -> NoReturn:
    """Make every run again and compare each record; exit with 0 where all are equal, 10 at the first difference.

    Raises:
        UsageError: there is no such session, or it has no run to verify.
    """
    stdout = _private_stdout()
    settings = load_settings(wanted.flags).settings
    present = _present(settings, live_tools=wanted.live_tools)
    runs = records_compared = 0
    for recording in recorded_runs(wanted.session):
        comparison = _compared(recording, present)
        runs, records_compared = runs + 1, records_compared + comparison.compared
        if comparison.difference is not None:
            print_to(stdout)
            _print_difference(settings, recording, comparison.difference)
            leave(exits.REPLAY)
    print_to(stdout)
    _print_as_recorded(settings, runs, records_compared)
    leave(exits.OK)


def show_live_results(wanted: Replay) -> NoReturn:
    """Run the read-only tools again, and show which results differ."""
    stdout = _private_stdout()
    settings = load_settings(wanted.flags).settings
    present = _present(settings, live_tools=True)
    calls, differences = 0, list[Difference]()
    for recording in recorded_runs(wanted.session):
        results = Results(recording.lines)
        _run(recording, present, results)
        calls += results.compared
        differences += results.differences
    print_to(stdout)
    if settings.output == "text":
        for difference in differences:
            _echo_difference(f"record {difference.record}, {difference.type}: {difference.field}", difference)
        echo(f"{counted(calls, 'call')}, {counted(len(differences), 'difference')}")
    else:
        print_facts({"calls": calls, "differences": differences}, settings.output)
    leave(exits.OK)


def _private_stdout() -> int:
    """Stdout for the comparison alone: code of plugins may still run, and print, when it is written."""
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    private = take_stdout()
    keep_private(private)
    return private


def _present(settings: Settings, *, live_tools: bool) -> Present:
    installed = find_installed(settings)
    return Present(settings=settings, installed=installed, skills=find_skills(installed.plugins), live_tools=live_tools)


def recorded_runs(session: str) -> Iterator[RunRecording]:
    """The runs that can be made again: those that made a request, or resumed a call.

    Ends the process where the transcript is damaged.

    Raises:
        UsageError: there is no such session, or no such run.
    """
    found = 0
    for item in runs_of(records(session)):
        if isinstance(item, Damage):
            notice(damage_text(item))
            leave(exits.REPLAY)
        if item.start is not None and (item.questions or item.ends):
            found += 1
            yield item
    if not found:
        raise UsageError(
            "there is nothing to verify: no model was asked in this session",
            hint="A transcript of an older finclaw has no requests: it can be replayed, not verified.",
            code="nothing_to_verify",
        )


def _compared(recording: RunRecording, present: Present) -> Comparison:
    comparison = Comparison(recording.lines)
    _run(recording, present, comparison)
    return comparison


def _run(recording: RunRecording, present: Present, judge: Judge) -> None:
    if recording.start is not None:
        with ended_after(present.settings.timeout):
            plugin_runner().run(run_again(recording, recording.start, present, judge))


def _print_difference(settings: Settings, recording: RunRecording, difference: Difference) -> None:
    if settings.output == "text":
        _echo_difference(f"{recording.run_id}, {difference}", difference)
    else:
        print_facts({"run_id": recording.run_id, "difference": difference}, settings.output)


def _print_as_recorded(settings: Settings, runs: int, compared: int) -> None:
    if settings.output == "text":
        echo(f"as recorded: {counted(runs, 'run')}, {counted(compared, 'record')}")
    else:
        print_facts({"runs": runs, "records": compared, "difference": None}, settings.output)


def _echo_difference(where: str, difference: Difference) -> None:
    recorded, now = (_text(side) for side in (difference.recorded, difference.now))
    common = next((place for place, (one, other) in enumerate(zip(recorded, now, strict=False)) if one != other), 0)
    echo(clean_line(where))
    echo(f"  recorded: {_shown(recorded, common)}")
    echo(f"  now:      {_shown(now, common)}")


def _text(value: JsonValue) -> str:
    return "(nothing)" if value is None else json.dumps(value, ensure_ascii=False)


def _shown(text: str, common: int) -> str:
    """The part of a value around the difference."""
    begin = max(0, common - SHOWN_BEFORE)
    shown = clean_line(text[begin : begin + SHOWN_CHARS])
    return f"{'…' if begin else ''}{shown}{'…' if begin + SHOWN_CHARS < len(text) else ''}"
