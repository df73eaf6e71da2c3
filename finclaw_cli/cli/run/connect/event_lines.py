"""Events from the lines that a server sends, so that they are shown as those of a run of this process."""

from __future__ import annotations

import re
from datetime import datetime

from finclaw_cli.core.events.agent import Emitted
from finclaw_cli.core.events.lines import event_classes
from finclaw_cli.transcript.replay import reader_of

_LINE = re.compile(
    r'\{"v":[0-9]+,"type":"([a-z_.]+)","seq":[0-9]+,"ts":"([0-9T:.Z-]+)","run_id":"([A-Za-z0-9._-]*)",(.+)\}\n'
)


def event_of(line: bytes) -> Emitted | None:
    """The event of a line; None for one of a later version, which is not known here.

    Raises:
        ValueError: it is no line of NDJSON.
    """
    found = _LINE.fullmatch(line.decode("ascii"))
    if found is None:
        raise ValueError("the server sends lines that are no events")
    kind, at, run_id, fields = found.groups()
    if kind not in event_classes():
        return None
    body = f"{{{fields}}}"
    return Emitted(datetime.fromisoformat(at), run_id, reader_of(kind).validate_json(body), body)
