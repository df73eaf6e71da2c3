"""Runs and approvals: started, listed, followed, answered, cancelled."""

from __future__ import annotations

from contextlib import aclosing
from http import HTTPStatus

from starlette.requests import HTTPConnection, Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp
from starlette.websockets import WebSocket

from finclaw_cli.core.own_threads import in_own_thread
from finclaw_cli.engine.cancel import SIGNALS, cancellation_by
from finclaw_cli.serve.control import Control, decision_of
from finclaw_cli.serve.event_streams import STREAM, EventStream, Lines, serve_websocket
from finclaw_cli.serve.follow import follow_live, follow_recorded
from finclaw_cli.serve.live_events import Numbered
from finclaw_cli.serve.parts import Parts
from finclaw_cli.serve.places import find_run
from finclaw_cli.serve.presence import ALL
from finclaw_cli.serve.problems import Problem, bad_request
from finclaw_cli.serve.recorded_events import RunPlace
from finclaw_cli.serve.recorded_runs import recorded_run
from finclaw_cli.serve.requests import client_of, json_body, query_of, selection_of, seq_of
from finclaw_cli.serve.served_run import ServedRun

FOLLOWING = ("after", "events", "deltas", "client")
MOST_KEY_CHARS = 200


async def start_run(parts: Parts, request: Request) -> Response:
    """Start a run."""
    query_of(request, ())
    key = request.headers.get("idempotency-key")
    if key is not None and not 0 < len(key) <= MOST_KEY_CHARS:
        raise bad_request(f"an idempotency key has 1 to {MOST_KEY_CHARS} characters")
    body = await json_body(request, parts.limits)
    parts.starts.count()
    run = await parts.runs.start(body, key)
    answer = {"run_id": run.run_id, "session_id": run.session_id, "events": f"/v1/runs/{run.run_id}/events"}
    return JSONResponse(answer, HTTPStatus.ACCEPTED)


async def list_runs(parts: Parts, request: Request) -> Response:
    """List the runs of this server."""
    query_of(request, ())
    return JSONResponse([run.document() for run in parts.runs])


async def show_run(parts: Parts, request: Request) -> Response:
    """Show one run."""
    query_of(request, ())
    found = await _found(parts, request.path_params["run_id"])
    if isinstance(found, ServedRun):
        return JSONResponse(found.document())
    return JSONResponse(await in_own_thread(recorded_run, found))


async def cancel_run(parts: Parts, request: Request) -> Response:
    """End a run, as the signal would whose code the query has, or one call of it."""
    query = query_of(request, ("as", "call"))
    code, call_id = query.get("as", "interrupted"), query.get("call")
    if code not in SIGNALS:
        raise bad_request(f"as is {', '.join(SIGNALS)}")
    parts.starts.count()
    found = await _found(parts, request.path_params["run_id"])
    if not isinstance(found, ServedRun) or found.finished is not None:
        raise Problem(HTTPStatus.CONFLICT, "not_running", "the run is not under way in this server")
    if call_id is None:
        found.cancel(cancellation_by(SIGNALS[code]))
    elif not found.cancel_call(call_id):
        raise Problem(HTTPStatus.NOT_FOUND, "unknown_call", "no call under way has this id")
    return JSONResponse({"run_id": found.run_id}, HTTPStatus.ACCEPTED)


async def run_events(parts: Parts, request: Request) -> ASGIApp:
    """Send the events of a run as server-sent events."""
    _require_stream(request)
    run_id = request.path_params["run_id"]
    lines = await _lines(parts, request, run_id)
    if (run := parts.runs.find(run_id)) is None or run.finished is not None:
        first = await anext(lines, None)
        if first is None:  # which ends the attempts of an EventSource to connect again
            return Response(status_code=HTTPStatus.NO_CONTENT)
        lines = _with_first(first, lines)
    return EventStream(lines, parts.clients, run_id)


async def run_socket(parts: Parts, socket: WebSocket) -> None:
    """Send the events of a run over a WebSocket, and obey its lines."""
    run_id = socket.path_params["run_id"]
    lines = await _lines(parts, socket, run_id)
    control = Control(parts.runs.find(run_id), parts.approvals, client_of(query_of(socket, FOLLOWING)))
    await serve_websocket(socket, lines, parts.clients, run_id, control.obey)


async def all_events(parts: Parts, request: Request) -> EventStream:
    """Send the events of all runs as server-sent events."""
    _require_stream(request)
    return EventStream(_all_lines(parts, request), parts.clients, ALL)


async def all_socket(parts: Parts, socket: WebSocket) -> None:
    """Send the events of all runs over a WebSocket, and take the answers to their approvals."""
    lines = _all_lines(parts, socket)
    control = Control(None, parts.approvals, client_of(query_of(socket, FOLLOWING)))
    await serve_websocket(socket, lines, parts.clients, ALL, control.obey)


async def list_approvals(parts: Parts, request: Request) -> Response:
    """List the requests for approvals that wait for an answer."""
    query_of(request, ())
    return JSONResponse([pending.document() for pending in parts.approvals])


async def answer_approval(parts: Parts, request: Request) -> Response:
    """Allow or deny one call."""
    client = client_of(query_of(request, ("client",)))
    body = await json_body(request, parts.limits)
    parts.starts.count()
    if unknown := set(body) - {"decision", "reason"}:
        raise bad_request(f"unknown key {min(unknown)!r}", code="unknown_key")
    granted, reason = decision_of(body)
    request_id = request.path_params["approval_id"]
    parts.approvals.give(request_id, client, granted=granted, reason=reason)
    return JSONResponse({"id": request_id, "decision": "allow" if granted else "deny", "by": f"serve:{client}"})


async def _found(parts: Parts, run_id: str) -> ServedRun | RunPlace:
    if (run := parts.runs.find(run_id)) is not None:
        return run
    found = await in_own_thread(find_run, run_id)
    if found is None:
        raise Problem(HTTPStatus.NOT_FOUND, "unknown_run", "there is no such run")
    return found


async def _with_first(first: list[Numbered], lines: Lines) -> Lines:
    async with aclosing(lines):
        yield first
        async for batch in lines:
            yield batch


def _require_stream(request: Request) -> None:
    if STREAM not in request.headers.get("accept", ""):
        raise Problem(
            HTTPStatus.NOT_ACCEPTABLE, "not_acceptable", f"events are a stream: send Accept: {STREAM}",
            "Or open a WebSocket at the same address.",
        )  # fmt: skip


def _all_lines(parts: Parts, connection: HTTPConnection) -> Lines:
    query = query_of(connection, FOLLOWING)
    selection = selection_of(query)
    client_of(query)
    after = connection.headers.get("last-event-id") or query.get("after")
    return parts.runs.events.follow(parts.runs.events.place_after(after, selection), selection)


async def _lines(parts: Parts, connection: HTTPConnection, run_id: str) -> Lines:
    query = query_of(connection, FOLLOWING)
    selection = selection_of(query)
    after = seq_of(connection.headers.get("last-event-id") or query.get("after"))
    found = await _found(parts, run_id)
    if not isinstance(found, ServedRun):
        return follow_recorded(found, selection, after)
    if found.is_recorded and found.where is not None:
        return follow_recorded(found.where, selection, after)
    if after >= found.live.next_seq(selection):
        raise bad_request(
            "after, or Last-Event-ID, is the seq of no line that was sent",
            "It belongs to one run and to its events and deltas; leave it out to begin again.", code="bad_cursor",
        )  # fmt: skip
    return follow_live(found.live, found.where, selection, after)
