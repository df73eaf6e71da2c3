"""Reading requests: bodies under limits, and parameters of the query."""

from __future__ import annotations

import asyncio
import json
import re
from http import HTTPStatus

from starlette.requests import HTTPConnection, Request

from finclaw_cli.core.json_text import JsonObject
from finclaw_cli.output.ndjson import Selection
from finclaw_cli.serve.limits import Limits
from finclaw_cli.serve.problems import Problem, bad_request

_CLIENT = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}")
_SEQ = re.compile(r"-1|[0-9]{1,15}")
JSON = "application/json"


async def json_body(request: Request, limits: Limits) -> JsonObject:
    """The JSON object in the body of a request.

    Raises:
        Problem: it has another type, is too long, comes too slowly, or is no JSON object with each key once.
    """
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != JSON:
        raise Problem(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "bad_type", f"the body has to be {JSON}")
    try:
        async with asyncio.timeout(limits.request_s):
            text = await _body(request, limits.body_bytes)
    except TimeoutError:
        raise Problem(HTTPStatus.REQUEST_TIMEOUT, "too_slow", "the body did not come in time") from None
    try:
        value = json.loads(text.decode("utf-8"), object_pairs_hook=_once, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise bad_request(f"the body is not JSON: {error}", code="bad_json") from None
    if not isinstance(value, dict):
        raise bad_request("the body has to be a JSON object", code="bad_json")
    return value


async def _body(request: Request, most: int) -> bytes:
    too_long = Problem(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "too_long", f"the body is longer than {most:,} bytes")
    length = request.headers.get("content-length", "0")
    if length.isdecimal() and int(length) > most:
        raise too_long
    body = bytearray()
    async for piece in request.stream():
        body += piece
        if len(body) > most:
            raise too_long
    return bytes(body)


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    if len(found := dict(pairs)) != len(pairs):
        raise ValueError("a key is there twice")
    return found


def _no_constant(name: str) -> object:
    raise ValueError(f"{name} is no JSON")


def query_of(connection: HTTPConnection, known: tuple[str, ...]) -> dict[str, str]:
    """The parameters of the query.

    Raises:
        Problem: one is unknown, or there twice.
    """
    given = connection.query_params.multi_items()
    for name, _ in given:
        if name not in known:
            raise bad_request(f"unknown parameter {name!r}", code="unknown_key")
    if len(found := dict(given)) != len(given):
        raise bad_request("a parameter is there twice")
    return found


def selection_of(query: dict[str, str]) -> Selection:
    """Which events a reader wants: `events=agent|all`, `deltas=true|false`.

    Raises:
        Problem: a value is none of these.
    """
    events, deltas = query.get("events", "agent"), query.get("deltas", "true")
    if events not in {"agent", "all"} or deltas not in {"true", "false"}:
        raise bad_request("events is agent or all, deltas is true or false")
    return Selection(all_families=events == "all", deltas=deltas == "true")


def seq_of(text: str | None) -> int:
    """The last `seq` that a reader has; -1 for none.

    Raises:
        Problem: it is no number.
    """
    if text is None or text == "":
        return -1
    if not _SEQ.fullmatch(text):
        raise bad_request("after, or Last-Event-ID, is the seq of the last line that was read")
    return int(text)


def client_of(query: dict[str, str]) -> str:
    """The name that a client gives itself, for those who see what it answers.

    Raises:
        Problem: it is no name.
    """
    name = query.get("client", "client")
    if not _CLIENT.fullmatch(name):
        raise bad_request("client is a name of letters, digits, dots, dashes and underscores, at most 40 of them")
    return name
