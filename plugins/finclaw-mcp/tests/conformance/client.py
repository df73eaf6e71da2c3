"""The client for the official conformance harness: finclaw's connection to a server at an address.

    python client.py URL

It lists the tools and calls each once, with the arguments of MCP_CONFORMANCE_CONTEXT, or with small ones of its schema.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from functools import partial
from typing import Any

from finclaw_mcp.connection import Connection
from finclaw_mcp.http_server import HttpServer

VALUES: dict[str, Any] = {"integer": 1, "number": 1, "string": "x", "boolean": True, "array": [], "object": {}}


def arguments_of(tool: dict[str, Any], tools: list[dict[str, Any]]) -> dict[str, Any]:
    """Arguments for a call of a tool; one that wants a schema gets that of the tool that names its dialect."""
    context = json.loads(os.environ.get("MCP_CONFORMANCE_CONTEXT") or "{}")
    for call in context.get("toolCalls", ()):
        if call.get("name") == tool["name"]:
            return dict(call.get("arguments") or {})
    properties = tool["inputSchema"].get("properties", {})
    if set(properties) == {"schema"}:
        return {"schema": next(each["inputSchema"] for each in tools if "$schema" in each["inputSchema"])}
    return {name: VALUES.get(schema.get("type", "string"), "x") for name, schema in properties.items()}


async def use(url: str) -> None:
    """List the tools of a server and call them."""
    tools: list[dict[str, Any]] = []
    connection = Connection("conformance", partial(HttpServer, url, {}, proxies=False), None, 20.0, tools.extend)
    try:
        await connection.link()
        for tool in [*tools]:
            await connection.call(tool["name"], arguments_of(tool, tools), lambda *_: None, is_repeatable=False)
    finally:
        await connection.close()


if __name__ == "__main__":
    asyncio.run(use(sys.argv[1]))
