"""How a run of an earlier server, or of another process, ended."""

from __future__ import annotations

import sys

from finclaw_cli.core.clock import timestamp
from finclaw_cli.core.events.lines import payload
from finclaw_cli.core.json_text import JsonObject
from finclaw_cli.output.ndjson import Selection
from finclaw_cli.serve.recorded_events import RecordedEvents, RunPlace
from finclaw_cli.transcript.lock import is_held

_ALL = Selection(all_families=True, deltas=True)


def recorded_run(where: RunPlace) -> JsonObject:
    """A run of a transcript, in the form of one of this server; one that was killed has the result of its events.

    Raises:
        FinclawError: the transcript cannot be read.
    """
    is_written = is_held(where.path)  # first: what ends afterwards has its end in the file
    run = RecordedEvents(where, _ALL, after=sys.maxsize)  # no line is made of an event
    while not run.is_whole and not run.is_at_end:
        run.read_on()
    is_running = is_written and not run.is_whole
    result = None if is_running else run.result or run.missing_result()
    return {
        "run_id": where.run_id,
        "session_id": where.session,
        "status": "running" if result is None else result.status,
        "started": timestamp(run.first) if run.first else None,
        "finished": timestamp(run.last) if run.last and result else None,
        "result": None if result is None else payload(result),
    }
