"""The output of `finclaw agents status`."""

from __future__ import annotations

from pathlib import Path

from finclaw_cli.cli.listing import print_json
from finclaw_cli.core.clean import clean_line
from finclaw_cli.core.errors import UsageError
from finclaw_cli.core.json_text import JsonObject
from finclaw_cli.engine.lane_tickets import TicketNote, ticket_notes
from finclaw_cli.output.console import echo, echo_table
from finclaw_cli.settings.load import load_settings
from finclaw_cli.settings.paths import lanes_folder

Lane = tuple[str, list[TicketNote]]


def print_status(*, as_json: bool) -> None:
    """Print the runs of each agent that has one.

    Raises:
        UsageError: the settings are wrong, or the folder of the lanes cannot be read.
    """
    most = load_settings().settings.lane_max_running
    found = _lanes(lanes_folder())
    if as_json:
        print_json([_facts(agent, notes, most) for agent, notes in found])
    elif found:
        rows = [_row(agent, note) for agent, notes in found for note in notes]
        echo_table(("AGENT", "STATE", "SINCE", "PROCESS", "SESSION"), rows, drop=("SINCE", "PROCESS"))
    else:
        echo("No run of an agent is under way.")


def _lanes(folder: Path) -> list[Lane]:
    try:
        lanes = [(path.name, ticket_notes(path)) for path in sorted(folder.iterdir()) if path.is_dir()]
    except FileNotFoundError:
        return []
    except OSError as error:
        raise UsageError(f"{folder}: cannot be read: {error.strerror}", code="bad_file") from error
    return [(agent, notes) for agent, notes in lanes if notes]


def _facts(agent: str, notes: list[TicketNote], most: int) -> JsonObject:
    active = sum(note.has_place for note in notes)
    return {
        "agent": agent,
        "max": most,
        "active": active,
        "queued": len(notes) - active,
        "runs": [
            {
                "state": _state(note),
                "pid": note.pid,
                "host": note.host,
                "since": note.since,
                "session": note.session,
            }
            for note in notes
        ],
    }


def _row(agent: str, note: TicketNote) -> tuple[str, ...]:
    process = f"{note.pid} on {clean_line(note.host)}" if note.pid is not None and note.host else "?"
    return clean_line(agent), _state(note), clean_line(note.since or "?"), process, clean_line(note.session or "?")


def _state(note: TicketNote) -> str:
    return "running" if note.has_place else "waiting"
