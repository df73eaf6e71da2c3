"""The display of a context window and its contents."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from finclaw_cli.app.connect import first_model
from finclaw_cli.app.model_facts import model_windows
from finclaw_cli.app.plan import Installed, find_installed
from finclaw_cli.app.present import current_context
from finclaw_cli.catalog.windows import Window
from finclaw_cli.cli.leave import leave
from finclaw_cli.cli.listing import print_json
from finclaw_cli.core import exits
from finclaw_cli.core.json_text import JsonObject, jsonable
from finclaw_cli.core.ports import whole_prompt
from finclaw_cli.core.record import record
from finclaw_cli.core.usage import Usage, added
from finclaw_cli.engine.context.count import Breakdown, TokenCounter
from finclaw_cli.engine.context.window import RESERVED_TOKENS, Fill
from finclaw_cli.engine.request import ModelRef
from finclaw_cli.listings.sessions.content import hurt, report_damage, unreadable
from finclaw_cli.output.console import can_show, echo, echo_prose, echo_table
from finclaw_cli.settings.load import load_settings
from finclaw_cli.settings.model import Settings
from finclaw_cli.settings.paths import sessions_folder
from finclaw_cli.transcript.history import History, Reading
from finclaw_cli.transcript.lines import Line
from finclaw_cli.transcript.reader import Damage, read_file
from finclaw_cli.transcript.requests import usage_of
from finclaw_cli.transcript.session import latest
from finclaw_cli.transcript.store import SessionStore

NAMES = {
    "system": "system prompt",
    "tools": "tool definitions",
    "results": "tool results",
    "conversation": "conversation",
    "summary": "summary",
}
GLYPHS, ASCII = "█▓▒░▚·", "#=+-s."
LEAST_BAR, MOST_BAR = 20, 100


@record(kw_only=True)
class Talked:
    """The state of a session, and its usage."""

    history: History
    model: str | None
    """The model of the last request."""
    billed: Usage | None
    """All requests together, with retries and summaries: what is billed, not what fills the window."""
    compactions: int
    damage: tuple[Damage, ...]


@record(kw_only=True)
class Shown:
    """All data that is shown."""

    session: str
    model: ModelRef
    window: Window
    fill: Fill
    parts: Breakdown
    talked: Talked


def print_context(session: str | None, model: str | None, *, as_json: bool) -> None:
    """Print how a session fills its model's context window.

    Raises:
        UsageError: there is no such session or model.
        FinclawError: the session cannot be read.
    """
    store = SessionStore(sessions_folder())
    path = store.find(session if session is not None else latest(store))
    talked = _talked(path)
    settings = load_settings({"model": model or talked.model}).settings
    installed = find_installed(settings)
    ref = first_model(settings, installed.providers)
    window = model_windows(settings, installed.providers).of(ref)
    parts = _counter(settings, installed, talked.history).breakdown(talked.history.messages)
    fill = Fill(parts.total, window.tokens)
    shown = Shown(session=path.stem, model=ref, window=window, fill=fill, parts=parts, talked=talked)
    if as_json:
        print_json(_json(shown))
    else:
        _echo(shown)
    report_damage([hurt(each) for each in talked.damage])
    if talked.damage:
        leave(exits.REPLAY)


def _talked(path: Path) -> Talked:
    reading, model, billed = Reading(), None, None
    try:
        found = list(read_file(path))
    except OSError as error:
        raise unreadable(path, error) from error
    lines = [item for item in found if isinstance(item, Line)]
    for line in lines:
        reading.take(line)
        if line.type in {"agent.turn_start", "agent.turn_complete"}:
            model = str(line.data.get("model"))
        if line.type == "budget.spent" and (usage := usage_of(line.data.get("usage"))) and usage.total:
            billed = added(billed, usage)
    return Talked(
        history=reading.history(0),
        model=model,
        billed=billed,
        compactions=sum(line.type == "compaction" for line in lines),
        damage=tuple(item for item in found if isinstance(item, Damage)),
    )


def _counter(settings: Settings, installed: Installed, history: History) -> TokenCounter:
    """A counter of what a run that continues now would send."""
    context = current_context(settings, installed, history.messages)
    counter = TokenCounter(whole_prompt(context.prompt.text, context.prompt.state), context.tools)
    if history.counted is not None:
        counter.reported(history.counted)
    return counter


def _json(shown: Shown) -> JsonObject:
    return {
        "session": shown.session,
        "model": str(shown.model),
        "window": shown.window.tokens,
        "window_source": shown.window.source,
        "reserved": RESERVED_TOKENS,
        "occupied": shown.fill.occupied,
        "ratio": round(shown.fill.ratio, 4),
        "state": shown.fill.state,
        "counted": shown.talked.history.counted is not None,
        "breakdown": jsonable(asdict(shown.parts)),
        "messages": len(shown.talked.history.messages),
        "compactions": shown.talked.compactions,
        "billed": jsonable(shown.talked.billed),
    }


def _echo(shown: Shown) -> None:
    fill, parts = shown.fill, asdict(shown.parts)
    counted = "counted by the provider" if shown.talked.history.counted is not None else "estimated"
    echo_prose(f"{shown.session}, {shown.model}: a window of {shown.window.tokens:,} tokens ({shown.window.source})")
    echo_prose(f"{fill.occupied:,} of {fill.usable:,} tokens, {fill.ratio:.1%}: {fill.state}; {counted}\n")
    glyphs = GLYPHS if can_show(GLYPHS) else ASCII
    echo(_bar(list(parts.values()), fill.usable, glyphs))
    free = max(fill.usable - fill.occupied, 0)
    named = [(glyph, NAMES[name], tokens) for glyph, (name, tokens) in zip(glyphs, parts.items(), strict=False)]
    rows = [
        (glyph, name, f"{tokens:>9,}", f"{tokens / fill.usable:6.1%}")
        for glyph, name, tokens in (*named, (glyphs[-1], "free", free))
    ]
    echo_table(("", "", "   TOKENS", " SHARE"), rows)
    echo_prose(f"\n{shown.window.tokens - fill.usable:,} more are kept free for the answer.")
    if shown.talked.compactions:
        echo_prose(
            f"The conversation was made smaller {_times(shown.talked.compactions)}; the transcript has all of it."
        )
    if (billed := shown.talked.billed) is not None:
        echo_prose(
            f"Billed so far, all requests together: {billed.input:,} input, {billed.output:,} output, "
            f"{billed.cache_read:,} read from the cache, {billed.cache_write:,} written to it."
        )


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


def _bar(tokens: Sequence[int], usable: int, glyphs: str) -> str:
    """One row: the length of each part is its share, and at least one cell where there is any of it."""
    width = min(max(shutil.get_terminal_size().columns - 1, LEAST_BAR), MOST_BAR)
    scale = max(usable, sum(tokens))
    cells = "".join(
        glyph * max(round(count / scale * width), 1) for glyph, count in zip(glyphs, tokens, strict=False) if count > 0
    )
    return cells[:width].ljust(width, glyphs[-1])
