"""A model with a small window that asks for one large table after another; it refuses what does not fit."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from tests.e2e.dialects import Anthropic, Chat, Responses
from tests.e2e.harness import Finclaw, install_module
from tests.wire.anthropic_rules import lint_request
from tests.wire.openai_rules import lint_chat, lint_responses
from tests.wire.server import Reply, VectorServer, threaded
from tests.wire.test_anthropic_requests import bare

Body = dict[str, Any]
Wire = Anthropic | Chat | Responses
WIRES: tuple[Wire, ...] = (Anthropic(), Chat(), Responses())
TABLES = '''
from finclaw_cli.sdk import hookimpl, tool

@tool(group="finance", read_only=True)
async def table(number: int, rows: int) -> dict:
    """Prices, one row a day.

    Args:
        number: which table.
        rows: how many rows.
    """
    days = [{"day": f"2026-{n % 12 + 1:02}-{n % 28 + 1:02}", "open": f"{number}.{n:03}", "volume": n * 7919} for n in range(rows)]
    return {"number": number, "rows": days}

@hookimpl
def finclaw_tools():
    return [table]
'''
PLUGIN = {"FINCLAW_PLUGINS": "finclaw-tables"}
_TOKEN = re.compile(r"\w{1,4}|[^\w\s]")


def tokens_of(value: object) -> int:
    """What this server counts; not what the program estimates."""
    return len(_TOKEN.findall(json.dumps(value, ensure_ascii=False)))


@dataclass
class Windowed:
    """Plays the model."""

    wire: Wire
    window: int
    tables: int
    rows: int
    asked: list[Body] = field(default_factory=list)
    """The requests of turns."""
    summed: list[Body] = field(default_factory=list)
    """The requests for summaries."""
    before: int = 0
    """How many of them were of earlier conversations."""
    refused: list[int] = field(default_factory=list)
    counted: int = 0
    """All tokens that were billed."""
    names_window: bool = True
    """Whether a refusal says how large the window is."""
    refusal: tuple[int, str] = (400, "context_length_exceeded")
    """Status and type of a refusal."""
    reports: bool = True
    """Whether it says how many tokens a request had; else it says ten."""
    cuts_summaries: bool = False
    hangs: bool = False
    """Whether it never writes a summary."""
    summary: str = "The user wants all tables. Table 1 to the last one were read; the opening prices are theirs. " * 4

    def answer(self, body: Body) -> Reply:
        tokens = tokens_of([self.instructions(body), body.get("tools", []), self.messages(body)])
        if tokens + body.get("max_tokens", 0) > self.window:
            self.refused.append(tokens)
            return self.wire.error(*self.refusal, self.reason(tokens, body.get("max_tokens", 0)))
        is_turn = bool(body.get("tools"))
        (self.asked if is_turn else self.summed).append(body)
        wire = replace(self.wire, used=(tokens if self.reports else 10, 40))
        self.counted += tokens + 40
        if not is_turn and self.cuts_summaries:
            return wire.cut_short()
        if not is_turn:
            return Reply(stall=True) if self.hangs else wire.text(self.summary)
        number = len(self.asked) - self.before
        if number > self.tables:
            return wire.text("I have read them all.")
        return wire.calls((f"call_{number}", "table", {"number": number, "rows": self.rows}))

    def reason(self, tokens: int, answer: int) -> str:
        """Why a request is refused, in the provider's words."""
        if not self.names_window:
            return "prompt is too long"
        if tokens <= self.window:
            return f"input length and `max_tokens` exceed context limit: {tokens} + {answer} > {self.window}"
        return f"prompt is too long: {tokens} tokens > {self.window} maximum"

    def begin_again(self) -> None:
        """The next request begins another conversation."""
        self.before = len(self.asked)

    def messages(self, body: Body) -> list[Body]:
        """What was said, without the marks of the cache."""
        match self.wire:
            case Anthropic():
                return list(bare(body)["messages"])
            case Chat():
                return [message for message in body["messages"] if message["role"] != "system"]
            case Responses():
                return list(body["input"])

    def question(self, body: Body) -> object:
        """What the user said first."""
        first = self.messages(body)[0]["content"]
        # Over Chat Completions a summary behind it is a part of the same message.
        return first[0] if isinstance(self.wire, Anthropic) else first.partition("\n\n")[0]

    def instructions(self, body: Body) -> object:
        match self.wire:
            case Anthropic():
                return bare(body).get("system")
            case Chat():
                return [message for message in body["messages"] if message["role"] == "system"]
            case Responses():
                return body.get("instructions")

    def problems(self, body: Body) -> list[str]:
        """What the provider's own rules say against a request."""
        match self.wire:
            case Anthropic():
                return lint_request(body)
            case Chat():
                return lint_chat(body)
            case Responses():
                return lint_responses(body)

    def address(self, server: VectorServer) -> tuple[str, ...]:
        url = server.url if isinstance(self.wire, Anthropic) else f"{server.url}/v1"
        return "-m", self.wire.model, "--base-url", url


def with_tables(plugins: Path, home: Path) -> Finclaw:
    """The command in a home that trusts the plugin with the tables."""
    install_module(plugins, "finclaw-tables", TABLES)
    command = Finclaw(home, plugins, home)
    trusted = command("plugins", "trust", "finclaw-tables", env=PLUGIN)
    assert trusted.code == 0, trusted.stderr
    return command


def set_window(own: Finclaw, model: str, tokens: int) -> None:
    (own.home / "config.toml").write_text(f'[models."{model}"]\nwindow = {tokens}\n')


@contextmanager
def playing(model: Windowed) -> Iterator[tuple[str, ...]]:
    """A server that plays it; the options that ask it."""
    with threaded() as server:
        server._reply_for = lambda index: model.answer(server.requests[index].body)  # type: ignore[method-assign]
        yield model.address(server)
