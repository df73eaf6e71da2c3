"""What a front (a command, a server, a library) provides to the runs that it starts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field

from finclaw_cli.core.errors import FinclawError
from finclaw_cli.core.json_text import JsonValue
from finclaw_cli.core.ports import Approver, EventSink, OutcomeResolver
from finclaw_cli.core.record import record
from finclaw_cli.core.secrets import KnownSecrets
from finclaw_cli.engine.cancel import CancelScope


@record
class Continuation:
    """No new message: the last question of the session is taken up where it was interrupted."""


Prompt = str | Continuation | FinclawError
"""One message of the user; an error is reported as the result of its run."""


@record(kw_only=True)
class Front:
    """Where approvals are asked, and where events go."""

    approver: Callable[[], Approver]
    """Makes the approver of the next run: its "always" holds for one run."""
    outcome_resolver: OutcomeResolver
    sinks: Sequence[EventSink]
    """The front's own outputs, in order; the transcript and the usage store come before them."""
    scope: CancelScope
    secrets: KnownSecrets
    report: Callable[[str], None]
    """Shows a line that belongs to no run."""
    is_retractable: bool
    """Whether text that was shown can be declared void."""
    facts: Mapping[str, JsonValue] = field(default_factory=dict)
    """What the first record of each run has of the front, beside the inputs of the run."""
