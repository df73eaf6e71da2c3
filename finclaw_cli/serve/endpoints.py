"""All endpoints of the API."""

from __future__ import annotations

from functools import cache
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from finclaw_cli.core.json_text import JsonObject
from finclaw_cli.core.own_threads import in_own_thread
from finclaw_cli.serve import models as shapes
from finclaw_cli.serve import report_routes as reports
from finclaw_cli.serve import run_routes as runs
from finclaw_cli.serve import session_routes as sessions
from finclaw_cli.serve.answers import json_answer
from finclaw_cli.serve.endpoint import Answer, Endpoint
from finclaw_cli.serve.parts import Parts
from finclaw_cli.serve.requests import query_of
from finclaw_cli.serve.tool_routes import call_tool


async def health(_parts: Parts, _request: Request) -> Response:
    """Answer that the server runs."""
    return json_answer({"status": "ok"})


async def document(_parts: Parts, request: Request) -> Response:
    """Show the description of the API."""
    query_of(request, ())
    return json_answer(await in_own_thread(_document))


@cache
def _document() -> JsonObject:
    from finclaw_cli.serve.openapi import openapi  # pydantic makes its schemas: not before they are asked for

    return openapi(ENDPOINTS)


FOLLOWING = {
    "after": "The seq of the last line that was read; Last-Event-ID comes first.",
    "events": "agent or all: which families of events.",
    "deltas": "true or false: whether deltas are among them.",
    "client": "The name of the client, for the approvals that it gives over a WebSocket.",
}
SSE, HTML = "text/event-stream", "text/html"
KEY = {"Idempotency-Key": "The same key and body give the same run."}
LAST = {"Last-Event-ID": "The id of the last event that was read."}
OF_LIST = {
    "query": "Words to search for.",
    "limit": "How many sessions, at most 200.",
    "cursor": "The next of a page.",
    **{name: f"As the option of finclaw sessions list: {name}." for name in sessions.FILTERS},
}
OF_COST = {name: f"As the option of finclaw cost: {name}." for name in reports.COST}
AS = {
    "as": "interrupted, terminated or hung_up: as which signal it ends the run.",
    "call": "The id of a call that is ended alone, while the run goes on.",
}
CLIENT = {"client": "The name of the client."}
RUN, SESSION = "/v1/runs/{run_id}", "/v1/sessions/{session_id}"


def _get(path: str, answer: Answer, summary: str, result: Any = None, **more: Any) -> Endpoint:
    return Endpoint(method="GET", path=path, answer=answer, summary=summary, result=result, **more)


def _post(path: str, answer: Answer, summary: str, result: Any, **more: Any) -> Endpoint:
    return Endpoint(method="POST", path=path, answer=answer, summary=summary, result=result, **more)


ENDPOINTS: tuple[Endpoint, ...] = (
    _get("/v1/health", health, "Whether the server runs.", shapes.Health, needs_token=False),
    _post("/v1/runs", runs.start_run, "Start a run.", shapes.StartedRun, status=202, headers=KEY, starts_run=True),
    _get("/v1/runs", runs.list_runs, "The runs of this server, the latest first.", list[shapes.Run]),
    _get(RUN, runs.show_run, "One run, of this server or of any session.", shapes.Run),
    _post(f"{RUN}/cancel", runs.cancel_run, "End a run.", shapes.CancelledRun, status=202, query=AS),
    _get(f"{RUN}/events", runs.run_events, "The events of a run.", query=FOLLOWING, headers=LAST, media_type=SSE),
    _get(
        "/v1/events", runs.all_events, "The events of all runs of this server from now on; ids are RUN:SEQ.",
        query=FOLLOWING, headers=LAST, media_type=SSE,
    ),
    _get("/v1/approvals", runs.list_approvals, "The calls that wait for an approval.", list[shapes.PendingApproval]),
    _post(
        "/v1/approvals/{approval_id}", runs.answer_approval, "Allow or deny a call.", shapes.Answered,
        body=shapes.Decision, query=CLIENT,
    ),
    _get("/v1/sessions", sessions.list_sessions, "Sessions, the latest first.", shapes.SessionPage, query=OF_LIST),
    _get(SESSION, sessions.show_session, "One session.", shapes.Session),
    _get(f"{SESSION}/html", sessions.session_html, "One session as a page.", media_type=HTML),
    _get("/v1/cost", reports.cost, "What requests have cost.", shapes.Cost, query=OF_COST),
    _get("/v1/tools", reports.tools, "The installed tools.", list[shapes.Tool]),
    _post(
        "/v1/tools/{name}", call_tool, "Call a tool that only reads.", shapes.ToolResult, body=shapes.ToolInput
    ),
    _get("/v1/models", reports.models, "The known models.", shapes.Models),
    _get("/v1/settings", reports.settings, "The settings, without secrets.", dict[str, shapes.Setting]),
    _post("/v1/markdown", reports.markdown, "Markdown as safe HTML.", shapes.Rendered, body=shapes.Texts),
    _post(
        "/v1/policy/explain", reports.explain, "Why a tool may run, or not.", shapes.Explanation,
        body=shapes.PolicyQuestion,
    ),
    _get("/v1/schema", reports.event_schema, "The JSON Schema of the lines of events.", JsonObject),
    _get("/v1/openapi.json", document, "This description.", JsonObject),
)  # fmt: skip
