"""One entry of the API: what answers it, and what its documentation has."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import field
from typing import Literal

from starlette.requests import Request
from starlette.responses import Response

from finclaw_cli.core.json_text import JsonObject
from finclaw_cli.core.record import record
from finclaw_cli.serve.parts import Parts

Answer = Callable[[Parts, Request], Awaitable[Response]]


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
    body: Callable[[], JsonObject] | None = None
    """Makes the JSON Schema of the body; None where there is none."""
    status: int = 200
    """The status of an answer that is no error."""
    result: Callable[[], JsonObject] = dict
    """Makes the JSON Schema of that answer."""
    media_type: str = "application/json"
