"""Answers as JSON: ASCII, strict, without secrets."""

from __future__ import annotations

import json
from http import HTTPStatus

from starlette.responses import Response

from finclaw_cli.core.environment import environment
from finclaw_cli.core.json_text import jsonable


def json_answer(value: object, status: HTTPStatus = HTTPStatus.OK) -> Response:
    """A value as the command line prints it with `--json`, without white space."""
    masked = environment().secrets.mask_value(jsonable(value))
    text = json.dumps(masked, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    return Response(text, status, media_type="application/json")
