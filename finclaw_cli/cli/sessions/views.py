"""The output of `finclaw sessions list` and `show`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from finclaw_cli.cli.leave import leave
from finclaw_cli.cli.listing import print_json
from finclaw_cli.core import exits
from finclaw_cli.core.clean import clean, clean_line
from finclaw_cli.core.json_text import canonical
from finclaw_cli.core.messages import Message, ReasoningBlock, TextBlock, ToolResultBlock, ToolUseBlock
from finclaw_cli.engine.run_state import message_json
from finclaw_cli.listings.sessions.calls import DROPPED, HEADER, calls_of
from finclaw_cli.listings.sessions.content import hurt, report_damage, unreadable
from finclaw_cli.listings.sessions.decisions import Decision, decision_of
from finclaw_cli.listings.sessions.filters import Wanted, names_with
from finclaw_cli.listings.sessions.summaries import Listed, listed
from finclaw_cli.output.console import echo, echo_table
from finclaw_cli.output.notice import notice
from finclaw_cli.settings.paths import sessions_folder
from finclaw_cli.transcript.lines import Line
from finclaw_cli.transcript.lock import is_held
from finclaw_cli.transcript.messages import NoMessage, message_of
from finclaw_cli.transcript.reader import Damage, Found, read_file
from finclaw_cli.transcript.store import SessionStore

SHOWN_RESULT_LINES = 12
SHOWN_LINE_CHARS = 300
SHOWN_QUESTION_CHARS = 60


def store() -> SessionStore:
    """The user's sessions."""
    return SessionStore(sessions_folder())


def print_sessions(wanted: Wanted, *, as_json: bool) -> None:
    """Print the sessions that the filters let through, the most recent first.

    Raises:
        UsageError: a filter has no usable value.
        OutputFailed: the index that filters need cannot be used.
    """
    names = names_with(wanted)
    found = list(listed(names, lambda line: notice(f"finclaw: {line}")))
    if as_json:
        print_json([each.facts() for each in found])
    elif found:
        echo_table(("SESSION", "WRITTEN", "ENDED", "ASKED"), [_row(each) for each in found], drop=("ENDED", "WRITTEN"))
    elif names is not None:
        echo("No session meets these conditions.")
    else:
        echo('No sessions yet. Try: finclaw run --model demo "How did ACME do?"')


def print_session(name: str, *, as_json: bool) -> None:
    """Print the conversation of one session.

    Raises:
        UsageError: there is no such session.
        FinclawError: it cannot be read.
    """
    found = _found(name)
    if as_json:
        print_json([message_json(item) for item in _spoken(found) if isinstance(item, Message)])
    else:
        for item in _spoken(found):
            for words in _words(item) if isinstance(item, Message) else (_decision(item),):
                echo(words)
    _report_damage(found)


def print_calls(name: str, *, as_json: bool) -> None:
    """Print the table of the calls of one session.

    Raises:
        UsageError: there is no such session.
        FinclawError: it cannot be read.
    """
    found = _found(name)
    calls = calls_of(found, is_held=is_held(store().find(name)))
    if as_json:
        print_json([call.facts() for call in calls])
    elif calls:
        echo_table(HEADER, [call.row() for call in calls], drop=DROPPED)
    else:
        echo("No tool was called.")
    _report_damage(found)


def _found(name: str) -> list[Found]:
    path = store().find(name)
    try:
        return list(read_file(path))
    except OSError as error:
        raise unreadable(path, error) from error


def _report_damage(found: list[Found]) -> None:
    damaged = [hurt(item) for item in found if isinstance(item, Damage)]
    report_damage(damaged)
    if damaged:
        leave(exits.REPLAY)


def _row(each: Listed) -> tuple[str, ...]:
    summary, labels = each.summary, each.labels
    marks = "".join(f"[{tag}] " for tag in labels.tags)
    question = clean_line(f"{marks}{labels.note or summary.question}")
    if len(question) > SHOWN_QUESTION_CHARS:
        question = f"{question[: SHOWN_QUESTION_CHARS - 1]}…"
    ended = "in use" if is_held(summary.path) else summary.status or "no end"
    return summary.name, f"{summary.written:%Y-%m-%d %H:%M}", ended, question


def _spoken(found: list[Found]) -> Iterator[Message | Decision]:
    """The messages, and the approvals where they were given."""
    for item in found:
        if isinstance(item, Line) and item.type == "message":
            try:
                yield message_of(item.data)
            except NoMessage as error:
                notice(f"finclaw: record {item.seq} is no message: {error}")
        elif isinstance(item, Line) and (decision := decision_of(item)):
            yield decision


def _decision(decision: Decision) -> str:
    return clean_line(f"  approval of {decision.name}: {decision.text}")


def _words(message: Message) -> Iterator[str]:
    """A message for display: questions quoted, calls and results marked, answers as they are."""
    content = message.content if not isinstance(message.content, str) else (TextBlock(message.content),)
    for block in content:
        match block:
            case TextBlock(text) if message.role == "user":
                yield f"\n{_quoted(text, '> ')}\n"
            case TextBlock(text):
                yield clean(text)
            case ReasoningBlock():
                pass
            case ToolUseBlock(_, name, arguments):
                yield clean_line(f"→ {name} {canonical(arguments)}")
            case ToolResultBlock(_, text, is_error):
                yield _quoted(_shortened(text), "  ! " if is_error else "  ")
            case _:
                assert_never(block)


def _quoted(text: str, mark: str) -> str:
    return "\n".join(f"{mark}{line}" for line in clean(text).splitlines())


def _shortened(text: str) -> str:
    lines = [line if len(line) <= SHOWN_LINE_CHARS else f"{line[:SHOWN_LINE_CHARS]}…" for line in text.splitlines()]
    if len(lines) <= SHOWN_RESULT_LINES:
        return "\n".join(lines)
    return "\n".join([*lines[:SHOWN_RESULT_LINES], f"… {len(lines) - SHOWN_RESULT_LINES} more lines"])
