"""The tools of one trusted server, for the runs of a conversation."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from finclaw_cli.sdk import ToolContext, ToolDefinition, ToolError, no_data
from finclaw_cli.sdk.toolsets import ToolSpec, stored_tools
from finclaw_mcp.declared import specs_of
from finclaw_mcp.entries import DISTRIBUTION, Entry, entry_for
from finclaw_mcp.known import Changes, Known, trusted
from finclaw_mcp.names import shown_names


class ServerTools:
    """The tools that were trusted. The server is started by the first call.

    Args of the constructor:
        name: the server.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self._connection: Any = None
        self._withheld: frozenset[str] = frozenset()

    def known(self) -> list[ToolDefinition]:
        """The tools as they were stored, without those that the server has changed or removed since."""
        known = trusted(self.name)
        if known is None:
            return []
        raw = {shown: name for name, shown in shown_names(self.name, list(known.pins)).items()}
        specs = [spec for spec in stored_tools(DISTRIBUTION, self.name) if spec.name in raw]
        return [self._tool(spec, raw[spec.name]) for spec in specs if raw[spec.name] not in self._withheld]

    async def start(self, context: ToolContext) -> None:
        """Start the server and compare what it is with what was trusted.

        Raises:
            ToolError: it is not what was trusted, or it cannot be started.
        """
        entry, known = self._trusted_entry(context)
        from finclaw_mcp.opening import opened  # the SDK takes half a second to import

        def listed(tools: list[dict[str, Any]]) -> None:
            self._withheld = Changes.between(known, tools).withheld

        self._connection = opened(self.name, entry, known, context, listed)
        await self._connection.link()

    async def stop(self) -> None:
        """End the connection and the server's process."""
        if self._connection is not None:
            await self._connection.close()
            self._connection = None

    def _trusted_entry(self, context: ToolContext) -> tuple[Entry, Known]:
        entry, known = entry_for(context, self.name), trusted(self.name)
        if entry is None or known is None:
            raise ToolError(f"NOT_CONFIGURED: the settings no longer have the server {self.name}")
        if not entry.enabled:
            raise ToolError(f"NOT_CONFIGURED: the server {self.name} is switched off in the settings")
        if entry.digest != known.entry:
            raise ToolError(
                f"NOT_CONFIGURED: the settings of the server {self.name} were changed after the user trusted it. The "
                f"user has to run: finclaw mcp trust {self.name}"
            )
        if stored_tools(DISTRIBUTION, self.name) != list(specs_of(self.name, known.tools, entry).values()):
            raise ToolError(
                f"NOT_CONFIGURED: the stored tools of the server {self.name} are not those that the user trusted. The "
                f"user has to run: finclaw mcp trust {self.name}"
            )
        return entry, known

    def _tool(self, spec: ToolSpec, raw: str) -> ToolDefinition:
        async def call(given: Any, context: ToolContext) -> object:
            if context.as_of is not None:
                raise no_data(f"{self.name} shows what is now, and this run may see nothing after {context.as_of}")
            await self._connection.look_again()
            if raw in self._withheld:
                raise ToolError(
                    f"the server {self.name} has changed this tool since the user trusted it. The user has to run: "
                    f"finclaw mcp trust {self.name}"
                )
            from finclaw_mcp.known import dumped
            from finclaw_mcp.results import result_of

            arguments = plain_json(given)
            answer = await self._connection.call(raw, arguments, context.progress, is_repeatable=spec.is_repeatable)
            return result_of(dumped(answer))

        return ToolDefinition(**{**vars_of(spec), "toolset": ""}, handler=call, declared_by=f"mcp:{self.name}")


def plain_json(value: Any) -> Any:
    """A call's input with numbers as the protocol's SDK writes them: a decimal becomes an integer or a float."""
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() and abs(value) < Decimal(10) ** 15 else float(value)
    if isinstance(value, dict):
        return {key: plain_json(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain_json(item) for item in value]
    return value


def vars_of(spec: ToolSpec) -> dict[str, Any]:
    """The fields of a declaration."""
    from dataclasses import fields

    return {each.name: getattr(spec, each.name) for each in fields(ToolSpec)}
