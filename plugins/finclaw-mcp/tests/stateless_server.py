"""A server of the protocol's current version, by the official SDK."""

from __future__ import annotations

from mcp.server.mcpserver import MCPServer
from mcp_types import ToolAnnotations

server = MCPServer("modern", instructions="Ask for sums.")


@server.tool(annotations=ToolAnnotations(read_only_hint=True))
def add(first: int, second: int) -> dict[str, int]:
    """Add two numbers."""
    return {"sum": first + second}


if __name__ == "__main__":
    server.run("stdio")
