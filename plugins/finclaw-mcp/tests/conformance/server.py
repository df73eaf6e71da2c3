"""The server for the official conformance harness: finclaw's own, with the tools that the scenarios name, at a port.

    python server.py PORT

The harness sends no token: the application is served without finclaw's check of it.
"""

from __future__ import annotations

import asyncio
import sys
from typing import Any

import uvicorn

from finclaw_cli.sdk import ToolContext, ToolDefinition, ToolError
from finclaw_mcp.client_calls import ClientCalls
from finclaw_mcp.server import Tools
from finclaw_mcp.serving import Serving, agent_of

NOTHING = {"type": "object", "properties": {}}
SCHEMA: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {
        "address": {
            "$anchor": "addressDef",
            "type": "object",
            "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
        }
    },
    "properties": {
        "name": {"type": "string"},
        "address": {"$ref": "#/$defs/address"},
        "contactMethod": {"type": "string", "enum": ["phone", "email"]},
        "phone": {"type": "string"},
        "email": {"type": "string"},
    },
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": {"required": ["phone"]},
    "else": {"required": ["email"]},
    "additionalProperties": False,
}


async def _text(_given: Any, _context: ToolContext) -> str:
    return "This is a simple text response for testing."


async def _error(_given: Any, _context: ToolContext) -> str:
    raise ToolError("This tool intentionally returns an error for testing")


async def _progress(_given: Any, context: ToolContext) -> str:
    for percent in (0, 50, 100):
        context.progress(f"Completed step {percent} of 100", percent / 100)
        await asyncio.sleep(0.05)
    return "done"


def _tool(name: str, handler: Any, schema: dict[str, Any] = NOTHING, *, asks: bool = False) -> ToolDefinition:
    about = f"{name} of the harness."
    return ToolDefinition(
        name=name, description=about, input_schema=schema, handler=handler, read_only=True, requires_approval=asks
    )


ASKING = (
    "test_missing_capability",
    "test_streaming_elicitation",
    "test_input_required_result_elicitation",
    "test_input_required_result_request_state",
    "test_input_required_result_tampered_state",
    "test_input_required_result_capabilities",
)
"""Tools that ask the user: finclaw asks for an approval of the call."""
HEADER = {"type": "object", "properties": {"region": {"type": "string", "x-mcp-header": "Region"}}}
TOOLS = [
    _tool("test_simple_text", _text),
    _tool("test_error_handling", _error),
    _tool("test_tool_with_progress", _progress),
    _tool("test_logging_tool", _text),
    _tool("test_custom_header", _text, HEADER),
    _tool("json_schema_2020_12_tool", _text, SCHEMA),
    *(_tool(name, _text, asks=True) for name in ASKING),
]


async def serve(port: int) -> None:
    """Serve until the process is ended."""
    calls = ClientCalls()
    agent = agent_of(calls, Serving(), TOOLS)
    server = Tools(agent, await agent.offered_tools(), calls).server()
    app = server.streamable_http_app(streamable_http_path="/mcp")
    config = uvicorn.Config(app, port=port, log_level="critical", timeout_graceful_shutdown=1)
    await uvicorn.Server(config).serve()


if __name__ == "__main__":
    asyncio.run(serve(int(sys.argv[1])))
