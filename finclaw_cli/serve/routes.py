"""The routes of a server, and what surrounds each answer."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from http import HTTPStatus
from typing import Any, cast

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.responses import Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp, ExceptionHandler, Message, Receive, Scope, Send

from finclaw_cli.core.errors import FinclawError
from finclaw_cli.core.interruption import error_text
from finclaw_cli.serve.access import refusal
from finclaw_cli.serve.endpoints import ENDPOINTS
from finclaw_cli.serve.page_files import page_routes
from finclaw_cli.serve.parts import Parts
from finclaw_cli.serve.problems import Problem, problem_of
from finclaw_cli.serve.run_routes import all_socket, run_socket

FAILED = Problem(HTTPStatus.INTERNAL_SERVER_ERROR, "internal", "the server could not answer: this is a bug in finclaw")


def application(parts: Parts) -> ASGIApp:
    """The ASGI application behind the checks of access."""
    routes = [
        Route(each.path, partial(each.answer, parts), methods=[each.method], include_in_schema=False)
        for each in ENDPOINTS
    ]
    sockets = [
        WebSocketRoute("/v1/runs/{run_id}/events", partial(run_socket, parts)),
        WebSocketRoute("/v1/events", partial(all_socket, parts)),
    ]
    handlers: dict[Any, ExceptionHandler] = {HTTPException: _no_route, Problem: _refused, FinclawError: _refused}
    app = Starlette(routes=[*routes, *sockets, *page_routes()], exception_handlers=handlers)
    app.router.redirect_slashes = False
    return _Reporting(app, parts.report)


async def _refused(_connection: HTTPConnection, error: Exception) -> Response:
    return refusal(problem_of(error) if isinstance(error, FinclawError) else cast("Problem", error))


async def _no_route(_request: Request, error: Exception) -> Response:
    status = HTTPStatus(error.status_code) if isinstance(error, HTTPException) else HTTPStatus.NOT_FOUND
    answer = refusal(Problem(status, status.name.lower(), status.phrase))
    if isinstance(error, HTTPException) and error.headers:
        answer.headers.update(error.headers)
    return answer


class _Reporting:
    """Reports a failure of an answer on one line, without what it was about, and goes on."""

    def __init__(self, app: ASGIApp, report: Callable[[str], None]) -> None:
        self._app = app
        self._report = report

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        has_begun = False

        async def noted(message: Message) -> None:
            nonlocal has_begun
            has_begun = True
            await send(message)

        try:
            await self._app(scope, receive, noted)
        except (OSError, ClientDisconnect):
            return
        except Exception as error:  # noqa: BLE001 - one answer must not end the server
            self._report(f"finclaw: an answer failed unexpectedly: {error_text(error)}")
            if not has_begun:
                await refusal(FAILED)(scope, receive, send)
