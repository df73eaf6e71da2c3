"""Tools of something that runs: a server, a connection. What there is of them may change while it does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from finclaw_cli.core.tool import ToolContext, ToolDefinition


class ToolSet(Protocol):
    """Tools that share what has to be started before they are called, and stopped after.

    A plugin returns a new object each time its hook `finclaw_toolsets` is called; finclaw uses one for a conversation.
    In each run it is started before the first call of one of its tools, and stopped when the run ends. `start` and
    `stop` run in one task, so that `start` may enter context managers that `stop` leaves.
    """

    @property
    def name(self) -> str:
        """A name of its own within the plugin: `[a-z][a-z0-9_]{0,63}`."""
        ...

    def known(self) -> Sequence[object]:
        """Its tools as far as they are known, started or not, in the forms of `finclaw_tools`; without any wait.

        It is called before each turn of a run in which one of the tools was called: what has changed is offered to the
        model from that turn on.
        """
        ...

    async def start(self, context: ToolContext) -> None:
        """Make the tools ready to be called.

        Args:
            context: of the first call of the run, whose time it takes; without its progress.

        Raises:
            ToolError: they cannot be used. The next call of one of them starts it again.
        """
        ...

    async def stop(self) -> None:
        """End what `start` began, also where that failed or was cancelled. It has a second, then it is cancelled."""
        ...


class PlacedToolSet(Protocol):
    """A toolset of an installed plugin, with tools that are checked and placed."""

    def tools(self) -> tuple[tuple[ToolDefinition, ...], list[str]]:
        """Its tools now, and a line for each thing it offers that cannot be one.

        Raises:
            UsageError: the plugin raised, or gave too many.
        """
        ...

    async def start(self, context: ToolContext) -> None: ...

    async def stop(self) -> None: ...
