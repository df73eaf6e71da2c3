"""How a run of an earlier server, or of another process, ended."""

from __future__ import annotations

from finclaw_cli.core.clock import timestamp
from finclaw_cli.core.events.agent import AgentResult, Emitted
from finclaw_cli.core.events.lines import payload
from finclaw_cli.core.json_text import JsonObject
from finclaw_cli.serve.recorded_events import RunPlace
from finclaw_cli.transcript.lock import is_held
from finclaw_cli.transcript.reader import Damage, read_file
from finclaw_cli.transcript.replay import events_of


def recorded_run(where: RunPlace) -> JsonObject:
    """A run of a transcript, in the form of one of this server."""
    lines = (line for line in read_file(where.path) if isinstance(line, Damage) or line.run_id == where.run_id)
    emitted = [item for item in events_of(lines) if isinstance(item, Emitted)]
    result = next((item for item in reversed(emitted) if isinstance(item.event, AgentResult)), None)
    if result is not None and isinstance(result.event, AgentResult):
        status: str | None = result.event.status
    else:
        status = "running" if is_held(where.path) else None
    return {
        "run_id": where.run_id,
        "session_id": where.session,
        "status": status,
        "started": timestamp(emitted[0].at) if emitted else None,
        "finished": None if result is None else timestamp(result.at),
        "result": None if result is None else payload(result.event),
    }
