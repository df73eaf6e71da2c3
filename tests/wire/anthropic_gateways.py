"""What servers send that speak Anthropic's wire without being Anthropic."""

from __future__ import annotations

from tests.wire.anthropic_events import begin, call, end, text
from tests.wire.anthropic_vectors import Vector, aapl

GATEWAYS = [
    Vector(
        "a call whose code point came in two halves is echoed whole",
        [begin(), *call(0, '{"q": "\ud83d', '\ude00"}'), *end("tool_use")],
        ["start toolu_1 get_quote", 'input toolu_1 {"q": "\ud83d\ude00"}', "end toolu_1", "done tool_use"],
        [{"type": "tool_use", "id": "toolu_1", "name": "get_quote", "input": {"q": "\N{GRINNING FACE}"}}],
    ),
    Vector(
        "OpenAI's word for a filtered answer",
        [begin(), *text(0, "Par"), *end("content_filter")],
        ["text Par", "done content_filter"],
    ),
    Vector(
        "OpenAI's word for a cut answer, inside a call",
        [begin(), *text(0, "Par"), *aapl(1)[:-1], *end("length")],
        ["text Par", "start toolu_1 get_quote", 'input toolu_1 {"symbol": "AAPL"}', "done max_tokens"],
        [{"type": "text", "text": "Par"}],
    ),
]
