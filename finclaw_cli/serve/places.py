"""Where the records of a run are, for runs of earlier servers and of other processes."""

from __future__ import annotations

import mmap
import re
from pathlib import Path

from finclaw_cli.serve.recorded_events import RunPlace
from finclaw_cli.settings.paths import sessions_folder
from finclaw_cli.transcript.store import SUFFIX, SessionStore

RUN_ID = re.compile(r"run_[0-9a-z]{26}")


def find_run(run_id: str) -> RunPlace | None:
    """The place of a run in all transcripts; None where there is none. Reads the latest files first."""
    if not RUN_ID.fullmatch(run_id):
        return None
    own = sessions_folder() / f"{run_id}{SUFFIX}"
    others = SessionStore(sessions_folder()).paths()
    for path in (own, *others):
        if (offset := _offset(path, run_id)) is not None:
            return RunPlace(run_id=run_id, session=path.name.removesuffix(SUFFIX), path=path, offset=offset)
    return None


def _offset(path: Path, run_id: str) -> int | None:
    """Where the line with the first record of the run begins."""
    try:
        with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
            found = content.find(b'"run":"%s"' % run_id.encode("ascii"))
            return None if found < 0 else content.rfind(b"\n", 0, found) + 1
    except (OSError, ValueError):  # gone meanwhile, or empty
        return None
