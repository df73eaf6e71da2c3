"""A turn with a payment in it, in three dialects."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from finclaw_cli.core.ports import Provider
from finclaw_cli.providers.anthropic.adapter import create as create_anthropic
from finclaw_cli.providers.config import ProviderConfig
from finclaw_cli.providers.openai.chat import create_chat
from finclaw_cli.providers.openai.responses import create_responses
from tests.wire import anthropic_events as anthropic
from tests.wire import openai_chat_wire as chat
from tests.wire import openai_responses_wire as responses
from tests.wire.server import anthropic_sse

ORDER = ('{"to":"Kim","am', 'ount":"100"}')


@dataclass(frozen=True)
class Dialect:
    """One wire: how it says "Paying.", then asks for a payment; and how it says that this is done.

    `marker` is what ends the turn: whatever comes after the end of its event belongs to no tool call.
    """

    create: Callable[[ProviderConfig], Provider]
    said: bytes
    answer: bytes
    marker: bytes

    @property
    def turn(self) -> bytes:
        """With a character of three bytes, so that some cuts go through it."""
        return self.said.replace(rb"\ud55c", "한".encode())

    @property
    def whole(self) -> int:
        """From this cut on the turn is whole: its marker lacks nothing but the end of its line."""
        return self.turn.index(b"\n\n", self.turn.rindex(self.marker))


DIALECTS = {
    "anthropic": Dialect(
        create=create_anthropic,
        said=anthropic_sse(
            [
                anthropic.begin(),
                *anthropic.text(0, "Paying 한."),
                *anthropic.call(1, *ORDER, name="pay"),
                *anthropic.end("tool_use"),
            ]
        ),
        answer=anthropic_sse([anthropic.begin(), *anthropic.text(0, "Paid."), *anthropic.end()]),
        marker=b'"message_stop"',
    ),
    "chat": Dialect(
        create=create_chat,
        said=chat.stream(
            chat.words("Paying 한."),
            chat.calls(chat.entry(0, "call_1", "pay", ORDER[0])),
            chat.calls(chat.entry(0, args=ORDER[1])),
            chat.USE,
            chat.usage(),
        ),
        answer=chat.stream(chat.words("Paid."), chat.STOP),
        marker=b'"tool_calls"}',  # the reason why it stopped: not every server sends more than that
    ),
    "responses": Dialect(
        create=create_responses,
        said=responses.stream(
            responses.text_of("Paying 한."), responses.call_of("call_1", "pay", *ORDER, index=1), responses.over()
        ),
        answer=responses.stream(responses.text_of("Paid."), responses.over()),
        marker=b'"response.completed", "response"',
    ),
}
