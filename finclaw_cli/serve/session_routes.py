"""Sessions: listed, searched, read, as a document."""

from __future__ import annotations

import re
from collections.abc import Container
from http import HTTPStatus
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

from finclaw_cli.core.errors import UsageError
from finclaw_cli.core.json_text import JsonObject, JsonValue
from finclaw_cli.core.messages import Message
from finclaw_cli.core.own_threads import in_own_thread
from finclaw_cli.engine.run_state import message_json
from finclaw_cli.listings.sessions.calls import calls_of
from finclaw_cli.listings.sessions.content import OpenSession, conversation_of, facts_of
from finclaw_cli.listings.sessions.conversation import spoken
from finclaw_cli.listings.sessions.filters import Wanted, names_with
from finclaw_cli.listings.sessions.html import html_pieces
from finclaw_cli.listings.sessions.page import POLICY
from finclaw_cli.listings.sessions.search import Search, hit_facts, searching
from finclaw_cli.listings.sessions.summaries import listed
from finclaw_cli.serve.answers import json_answer
from finclaw_cli.serve.parts import Parts
from finclaw_cli.serve.problems import Problem, bad_request
from finclaw_cli.serve.requests import query_of
from finclaw_cli.settings.paths import sessions_folder
from finclaw_cli.transcript.lock import is_held
from finclaw_cli.transcript.reader import read_file
from finclaw_cli.transcript.store import SUFFIX, SessionStore, place_in_list

FILTERS = ("since", "model", "tool", "symbol", "failed", "cost_over", "tag")
LISTING = ("query", *FILTERS, "limit", "cursor")
USUAL, MOST = 50, 200
MOST_HITS = 5
"""How many messages of a session a search shows."""
_LIMIT = re.compile(r"[0-9]{1,3}")


async def list_sessions(parts: Parts, request: Request) -> Response:
    """List sessions, page by page."""
    query = query_of(request, LISTING)
    return json_answer(await in_own_thread(_page, query, parts))


async def show_session(_parts: Parts, request: Request) -> Response:
    """Show one session."""
    query_of(request, ())
    return json_answer(await in_own_thread(_document, _path(request)))


async def session_html(_parts: Parts, request: Request) -> Response:
    """Show one session as the page that `sessions export --format html` writes."""
    query_of(request, ())
    page = await in_own_thread(_html, _path(request))
    return Response(page, media_type="text/html", headers={"content-security-policy": f"sandbox; {POLICY}"})


def _path(request: Request) -> Path:
    """The file of a session; here a name is a name: no prefix, and no path of another file.

    Raises:
        Problem: there is no such session.
    """
    try:
        path = SessionStore(sessions_folder()).path(request.path_params["session_id"])
    except UsageError:
        path = None
    if path is None or not path.is_file():
        raise Problem(HTTPStatus.NOT_FOUND, "unknown_session", "there is no such session")
    return path


def _page(query: dict[str, str], parts: Parts) -> JsonObject:
    limit = _limit(query.get("limit"))
    wanted = _wanted(query)
    after = parts.cursors.place(query["cursor"]) if "cursor" in query else None
    if words := query.get("query", "").strip():
        with searching(words, wanted) as search:
            counts = search.counts()
            paths = _after(after, counts)
            found = _found(search, counts, paths[:limit])
    else:
        paths, found = _after(after, names_with(wanted)), {}
    warnings = list[JsonValue]()
    page = list(listed(None, warnings.append, paths[:limit]))
    rows: list[JsonValue] = [{**each.facts(), **found.get(each.summary.name, {})} for each in page]
    following = parts.cursors.cursor(place_in_list(paths[limit - 1])) if len(paths) > limit else None
    return {"sessions": rows, "next": following, "warnings": warnings}


def _wanted(query: dict[str, str]) -> Wanted:
    failed = query.get("failed", "false")
    if failed not in {"true", "false"}:
        raise bad_request("failed is true or false")
    try:
        cost_over = float(query["cost_over"]) if "cost_over" in query else None
    except ValueError:
        raise bad_request("cost_over is an amount of USD") from None
    return Wanted(
        since=query.get("since"), model=query.get("model"), tool=query.get("tool"), symbol=query.get("symbol"),
        failed=failed == "true", cost_over=cost_over, tag=query.get("tag"),
    )  # fmt: skip


def _limit(text: str | None) -> int:
    if text is None:
        return USUAL
    if not _LIMIT.fullmatch(text) or not 1 <= int(text) <= MOST:
        raise bad_request(f"limit is a number from 1 to {MOST}")
    return int(text)


def _found(search: Search, counts: dict[str, int], paths: list[Path]) -> dict[str, JsonObject]:
    """What was found in these sessions."""
    names = frozenset(map(_name, paths))
    hits = list(search.hits(names, MOST_HITS))
    return {
        name: {"hits": [hit_facts(hit) for hit in hits if hit.session == name], "found": counts[name]} for name in names
    }


def _name(path: Path) -> str:
    return path.name.removesuffix(SUFFIX)


def _after(place: tuple[int, str] | None, names: Container[str] | None) -> list[Path]:
    """The files of these sessions after a place, the last one written first."""
    paths = SessionStore(sessions_folder()).paths()
    if names is not None:
        paths = [path for path in paths if _name(path) in names]
    return paths if place is None else [path for path in paths if place_in_list(path) < place]


def _document(path: Path) -> JsonObject:
    found = list(read_file(path))
    facts = facts_of(_name(path), found)
    messages = [message_json(item) for item in conversation_of(found) if isinstance(item, Message)]
    calls = [call.facts() for call in calls_of(found, is_held=is_held(path))]
    warnings = list[JsonValue]()
    summary = next(listed(None, warnings.append, [path]))
    return {
        **summary.facts(),
        "finclaw_version": facts.finclaw_version,
        "models": list(facts.models),
        "runs": list(facts.runs.values()),  # type: ignore[arg-type]
        "messages": list(messages),
        "calls": list(calls),
        "damage": list(facts.damage),  # type: ignore[arg-type]
        "warnings": warnings,
    }


def _html(path: Path) -> str:
    with path.open("rb") as file:
        session = OpenSession(path, file)
        return "".join(html_pieces(session.facts(), spoken(session.conversation())))
