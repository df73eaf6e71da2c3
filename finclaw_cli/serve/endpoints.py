"""All endpoints of the API."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from finclaw_cli.serve import report_routes as reports
from finclaw_cli.serve import run_routes as runs
from finclaw_cli.serve import session_routes as sessions
from finclaw_cli.serve.endpoint import Endpoint
from finclaw_cli.serve.parts import Parts


async def health(_parts: Parts, _request: Request) -> Response:
    """Say that the server runs."""
    return JSONResponse({"status": "ok"})


FOLLOWING = {
    "after": "The seq of the last line that was read; Last-Event-ID comes first.",
    "events": "agent or all: which families of events.",
    "deltas": "true or false: whether deltas are among them.",
    "client": "The name of the client, for the approvals that it gives over a WebSocket.",
}
STREAM = "text/event-stream"
KEY = {"Idempotency-Key": "The same key and body give the same run."}

ENDPOINTS: tuple[Endpoint, ...] = (
    Endpoint(method="GET", path="/v1/health", answer=health, summary="Whether the server runs; needs no token."),
    Endpoint(method="POST", path="/v1/runs", answer=runs.start_run, summary="Start a run.", status=202, headers=KEY),
    Endpoint(method="GET", path="/v1/runs", answer=runs.list_runs, summary="The runs of this server."),
    Endpoint(method="GET", path="/v1/runs/{run_id}", answer=runs.show_run, summary="One run of any session."),
    Endpoint(
        method="POST", path="/v1/runs/{run_id}/cancel", answer=runs.cancel_run, summary="End a run.", status=202
    ),
    Endpoint(
        method="GET", path="/v1/runs/{run_id}/events", answer=runs.run_events, query=FOLLOWING, media_type=STREAM,
        summary="The events of a run; also a WebSocket.",
    ),
    Endpoint(
        method="GET", path="/v1/events", answer=runs.all_events, query=FOLLOWING, media_type=STREAM,
        summary="The events of all runs from now on, with ids RUN:SEQ; also a WebSocket.",
    ),
    Endpoint(method="GET", path="/v1/approvals", answer=runs.list_approvals, summary="Approvals that are asked for."),
    Endpoint(
        method="POST", path="/v1/approvals/{approval_id}", answer=runs.answer_approval, summary="Allow or deny a call.",
        query={"client": "The name of the client."},
    ),
    Endpoint(
        method="GET", path="/v1/sessions", answer=sessions.list_sessions, summary="Sessions, the latest first.",
        query={name: f"As the option of finclaw sessions list; {name}." for name in sessions.LISTING},
    ),
    Endpoint(
        method="GET", path="/v1/sessions/{session_id}", answer=sessions.show_session, summary="One session.",
    ),
    Endpoint(
        method="GET", path="/v1/sessions/{session_id}/html", answer=sessions.session_html, media_type="text/html",
        summary="One session as a page.",
    ),
    Endpoint(
        method="GET", path="/v1/cost", answer=reports.cost, summary="What requests have cost.",
        query={name: f"As the option of finclaw cost: {name}." for name in reports.COST},
    ),
    Endpoint(method="GET", path="/v1/tools", answer=reports.tools, summary="The installed tools."),
    Endpoint(method="GET", path="/v1/models", answer=reports.models, summary="The known models."),
    Endpoint(method="GET", path="/v1/settings", answer=reports.settings, summary="The settings, without secrets."),
    Endpoint(method="POST", path="/v1/policy/explain", answer=reports.explain, summary="Why a tool may run, or not."),
    Endpoint(method="POST", path="/v1/markdown", answer=reports.markdown, summary="Markdown as safe HTML."),
    Endpoint(method="GET", path="/v1/schema", answer=reports.event_schema, summary="The JSON Schema of event lines."),
)  # fmt: skip
