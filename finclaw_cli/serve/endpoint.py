"""One entry of the API: what answers it, and what its documentation has."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import field
from typing import Any, Literal

from starlette.requests import Request
from starlette.types import ASGIApp

from finclaw_cli.core.record import record
from finclaw_cli.serve.parts import Parts

Answer = Callable[[Parts, Request], Awaitable[ASGIApp]]


@record(kw_only=True)
class Endpoint:
    """A method of a path."""

    method: Literal["GET", "POST"]
    path: str
    """With parameters in braces, such as `/v1/runs/{run_id}`."""
    answer: Answer
    summary: str
    query: Mapping[str, str] = field(default_factory=dict)
    """The parameters of the query, each with its description."""
    headers: Mapping[str, str] = field(default_factory=dict)
    """The headers that are read, each with its description."""
    body: Any = None
    """The type of the body, of `finclaw_cli.serve.models`; None where there is none, or it starts a run."""
    starts_run: bool = False
    """Whether the body is that of a run, with its settings."""
    status: int = 200
    """The status of an answer that is no error."""
    result: Any = None
    """The type of that answer; None for text."""
    needs_token: bool = True
    media_type: str = "application/json"
