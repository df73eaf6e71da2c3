"""Lines on stdin that control a run: `cancel` ends one call, `interrupt` the run."""

from __future__ import annotations

import json
from collections.abc import Callable

from finclaw_cli.core.record import record
from finclaw_cli.engine.cancel import CancelScope, cancellation_by
from finclaw_cli.output.notice import warn

SIGINT = 2
CANCEL_FORM = '{"type": "cancel", "call_id": "…"}'


@record
class RunControl:
    """Obeys the lines that control a run; `cancel` cancels a call by its id, if there is one."""

    cancel: Callable[[str], bool]
    scope: CancelScope

    def obey(self, line: bytes) -> bool:
        """Do what the line asks for; False where it is no such line."""
        given = _control(line)
        if given is None:
            return False
        if given["type"] == "interrupt":
            self.scope.cancel(cancellation_by(SIGINT))
            return True
        call_id = given.get("call_id")
        if not isinstance(call_id, str):
            warn(f"a line on stdin cancels nothing: it has no call_id; its form is {CANCEL_FORM}")
        elif not self.cancel(call_id):
            warn(f"a line on stdin cancels nothing: no call under way has the id {call_id[:80]!r}")
        return True


def _control(line: bytes) -> dict[str, object] | None:
    try:
        given = json.loads(line)
    except (ValueError, RecursionError):
        return None
    is_control = isinstance(given, dict) and given.get("type") in ("cancel", "interrupt")  # it may be unhashable
    return given if is_control else None
