"""What a client asks for: the body of `POST /v1/runs`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from finclaw_cli.app.open_session import WantedSession
from finclaw_cli.core.json_text import JsonObject, well_formed
from finclaw_cli.core.record import record
from finclaw_cli.serve.problems import bad_request
from finclaw_cli.settings.run_settings import run_settings

OWN: dict[str, tuple[tuple[type, ...], str]] = {
    "prompt": ((str,), "a text"),
    "session": ((str,), "a text"),
    "continue": ((bool,), "true or false"),
    "resume": ((bool,), "true or false"),
    "schema": ((dict, str), "an object or a text"),
}
"""The keys that are no settings, and their types."""


@record(kw_only=True)
class WantedRun:
    """A run that a client asks for."""

    prompt: str | None
    session: WantedSession
    schema: JsonObject | str | None
    options: Mapping[str, object]
    """Settings of this run alone."""


def wanted_run(body: JsonObject) -> WantedRun:
    """Read the body of a request.

    Raises:
        Problem: it has an unknown key or a value of a wrong type, or contradicts itself.
    """
    known = run_settings()
    if unknown := sorted(set(body) - set(OWN) - set(known)):
        raise bad_request(f"unknown key {unknown[0]!r}", "GET /v1/openapi.json lists the keys.", code="unknown_key")
    given = {name: value for name, value in body.items() if value is not None}
    for name, (kinds, words) in OWN.items():
        if name in given and not isinstance(given[name], kinds):
            raise bad_request(f"{name} has to be {words}")
    prompt, resume = given.get("prompt"), given.get("resume") is True
    if resume and prompt is not None:
        raise bad_request("resume takes the last question up: it takes no prompt", code="usage")
    if not resume and not (isinstance(prompt, str) and prompt.strip()):
        raise bad_request("there is no prompt", "Give one, or resume a session.", code="no_prompt")
    return WantedRun(
        prompt=well_formed(cast("str", prompt)) if prompt is not None else None,
        session=WantedSession(
            name=cast("str | None", given.get("session")), latest=given.get("continue") is True, resume=resume
        ),
        schema=cast("JsonObject | str | None", given.get("schema")),
        options={name: value for name, value in given.items() if name in known},
    )
