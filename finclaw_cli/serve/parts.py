"""What the answers of a server are made from."""

from __future__ import annotations

from collections.abc import Callable

from finclaw_cli.core.record import record
from finclaw_cli.serve.approvals import Approvals
from finclaw_cli.serve.clients import Clients
from finclaw_cli.serve.limits import Limits
from finclaw_cli.serve.rate import Rate
from finclaw_cli.serve.runs import Runs


@record(kw_only=True)
class Parts:
    """The parts of one server."""

    runs: Runs
    approvals: Approvals
    clients: Clients
    limits: Limits
    starts: Rate
    report: Callable[[str], None]
