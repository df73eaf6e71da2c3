"""One call of a tool that only reads, without a model."""

from __future__ import annotations

from contextvars import copy_context
from http import HTTPStatus

from starlette.requests import Request
from starlette.responses import Response

from finclaw_cli.agent.caller_tools import WantedTools
from finclaw_cli.agent.one_call import ToolCallResult, WantedCall, run_apart
from finclaw_cli.core.json_text import JsonObject
from finclaw_cli.core.own_threads import in_own_thread
from finclaw_cli.serve.answers import json_answer
from finclaw_cli.serve.parts import Parts
from finclaw_cli.serve.problems import Problem
from finclaw_cli.serve.requests import json_body, query_of
from finclaw_cli.serve.run_plan import CHANNEL
from finclaw_cli.settings.load import load_settings


async def call_tool(parts: Parts, request: Request) -> Response:
    """Call a tool that only reads; what a rule of the policy asks about is denied."""
    query_of(request, ())
    body = await json_body(request, parts.limits)
    parts.starts.count()
    result = await in_own_thread(_called, parts, request.path_params["name"], body)
    return json_answer(result)


def _called(parts: Parts, name: str, arguments: JsonObject) -> ToolCallResult:
    settings = load_settings().settings
    tool = parts.found(settings).tools.require(name).spec
    if not tool.read_only:
        raise Problem(
            HTTPStatus.FORBIDDEN, "not_read_only", f"{name} does more than read: it is called in a run alone",
            "Ask for it: POST /v1/runs.",
        )  # fmt: skip
    call = WantedCall(name=name, arguments=arguments, timeout_s=None, channel=CHANNEL)
    return run_apart(
        lambda: call.answer(settings, {}, WantedTools(), parts.report, find=parts.installed), copy_context()
    )
