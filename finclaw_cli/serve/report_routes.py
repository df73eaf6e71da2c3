"""What is known without a run: costs, tools, models, settings, the policy, the schema of events."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from finclaw_cli.app.plan import user_name
from finclaw_cli.core.json_text import JsonObject
from finclaw_cli.core.own_threads import in_own_thread
from finclaw_cli.listings.cost.formats import document
from finclaw_cli.listings.cost.options import Asked, dimensions
from finclaw_cli.listings.cost.report import find
from finclaw_cli.listings.models import model_rows
from finclaw_cli.listings.period import LocalZone, period
from finclaw_cli.listings.policy import explanation
from finclaw_cli.listings.sessions.html import rendered
from finclaw_cli.listings.settings import setting_facts
from finclaw_cli.listings.tools import tool_facts
from finclaw_cli.output.schema import line_schema
from finclaw_cli.serve.answers import json_answer
from finclaw_cli.serve.parts import Parts
from finclaw_cli.serve.problems import bad_request
from finclaw_cli.serve.requests import json_body, query_of
from finclaw_cli.serve.run_plan import CHANNEL
from finclaw_cli.settings.load import load_settings

COST = ("by", "since", "until", "session", "run")

MOST_TEXTS: Final = 1_000
"""Texts of Markdown in one request: each takes about a tenth of a millisecond, however short it is."""


async def cost(_parts: Parts, request: Request) -> Response:
    """Show what requests have cost."""
    query = query_of(request, COST)
    return json_answer(await in_own_thread(_cost, query))


async def tools(parts: Parts, request: Request) -> Response:
    """List the installed tools."""
    query_of(request, ())

    def facts() -> list[JsonObject]:
        found = parts.found(load_settings().settings).tools
        return [{**tool_facts(entry, found), "input_schema": entry.spec.input_schema} for entry in found.entries]

    return json_answer(await in_own_thread(facts))


async def models(_parts: Parts, request: Request) -> Response:
    """List the known models."""
    query_of(request, ())
    return json_answer(await in_own_thread(model_rows))


async def settings(_parts: Parts, request: Request) -> Response:
    """Show all settings, without secrets."""
    query_of(request, ())
    return json_answer(await in_own_thread(lambda: setting_facts(load_settings())))


async def explain(parts: Parts, request: Request) -> Response:
    """Explain what the policy decides on a tool."""
    query_of(request, ())
    body = await json_body(request, parts.limits)
    if unknown := set(body) - {"tool", "channel", "user"}:
        raise bad_request(f"unknown key {min(unknown)!r}", code="unknown_key")
    tool, channel, user = body.get("tool"), body.get("channel") or CHANNEL, body.get("user") or user_name()
    if not isinstance(tool, str) or not isinstance(channel, str) or not isinstance(user, str):
        raise bad_request("tool, channel and user have to be texts")
    explained = await in_own_thread(lambda: explanation(tool, channel=channel, user=user, find=parts.found))
    return json_answer(explained.facts())


async def event_schema(_parts: Parts, request: Request) -> Response:
    """Show the JSON Schema of the lines of events."""
    query_of(request, ())
    return json_answer(await in_own_thread(line_schema))


async def markdown(parts: Parts, request: Request) -> Response:
    """Render texts of Markdown, as an exported session has them."""
    query_of(request, ())
    body = await json_body(request, parts.limits)
    texts = body.get("texts")
    if set(body) != {"texts"} or not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise bad_request("texts has to be a list of texts")
    if len(texts) > MOST_TEXTS:
        raise bad_request(f"texts has to be a list of at most {MOST_TEXTS:,} texts")
    return json_answer({"html": await in_own_thread(lambda: [rendered(str(text)) for text in texts])})


def _cost(query: dict[str, str]) -> JsonObject:
    zone = LocalZone()
    between = period(query.get("since"), query.get("until"), datetime.now(UTC), zone)
    asked = Asked(
        by=dimensions([query["by"]] if "by" in query else []),
        since=between.since,
        until=between.until,
        session=query.get("session"),
        run=query.get("run"),
    )
    return document(find(asked, zone, with_chart=False))
