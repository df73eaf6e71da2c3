"""What the answers of a server are made from."""

from __future__ import annotations

from collections.abc import Callable

from finclaw_cli.app.plan import Installed
from finclaw_cli.core.record import record
from finclaw_cli.serve.approvals import Approvals
from finclaw_cli.serve.clients import Clients
from finclaw_cli.serve.cursors import Cursors
from finclaw_cli.serve.limits import Limits
from finclaw_cli.serve.rate import Rate
from finclaw_cli.serve.runs import Runs
from finclaw_cli.serve.shared_installed import SharedInstalled
from finclaw_cli.settings.model import Settings


@record(kw_only=True)
class Parts:
    """The parts of one server."""

    runs: Runs
    installed: SharedInstalled
    approvals: Approvals
    clients: Clients
    limits: Limits
    starts: Rate
    cursors: Cursors
    report: Callable[[str], None]

    def found(self, settings: Settings) -> Installed:
        """What is installed under some settings."""
        return self.installed(settings, use_plugins=True, report=self.report)
