"""For commands of a plugin that serve a program over stdin and stdout, or over a socket, until they are stopped."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any, NoReturn

__all__ = ["serve_front"]


def serve_front(work: Callable[[int], Coroutine[Any, Any, None]]) -> NoReturn:
    """Do the work in the event loop of this process, and end the process with 0.

    A signal (SIGINT, SIGTERM, SIGHUP) cancels the work, which may clean up; a second one ends the process at once.
    Descriptor 1 leads to stderr from then on, so that no plugin and no child process can write into the protocol.

    Args:
        work: called with the descriptor that stdout was; what it raises ends the process as for any command.
    """
    from finclaw_cli.cli.leave import leave
    from finclaw_cli.cli.own_stdout import own_stdout
    from finclaw_cli.cli.plugins.event_loop import plugin_runner
    from finclaw_cli.cli.terminal.signals import SignalHandling
    from finclaw_cli.core import exits
    from finclaw_cli.engine.cancel import CancelScope, RunCancelled

    runner, scope = plugin_runner(), CancelScope()
    SignalHandling(scope).attach(runner.get_loop())
    fd = own_stdout()

    async def served() -> None:
        try:
            await scope.run(work(fd))
        except RunCancelled:
            return

    runner.run(served())
    leave(exits.OK)
