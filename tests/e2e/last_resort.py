"""An earlier end of processes in which nothing can be interrupted."""

from __future__ import annotations

SOON_S = 4.0


def soon() -> None:
    """End such a process a few seconds after its deadline: computing until then is work for a core of its own."""
    from finclaw_cli.cli.terminal import signals
    from finclaw_cli.tools import blocked

    signals.LAST_RESORT_S = blocked.LAST_RESORT_S = SOON_S
