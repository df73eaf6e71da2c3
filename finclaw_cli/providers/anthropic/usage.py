"""Anthropic's token counts as ours: theirs are disjoint already."""

from __future__ import annotations

from collections.abc import Mapping

from finclaw_cli.core.chunks import UsageReport
from finclaw_cli.core.json_text import JsonValue


def report(usage: Mapping[str, JsonValue]) -> UsageReport:
    """Read what is there and is a count; all else stays unsaid."""
    written_1h = _count(usage, "cache_creation", "ephemeral_1h_input_tokens")
    written = _count(usage, "cache_creation_input_tokens")
    if written is None:
        parts = (_count(usage, "cache_creation", "ephemeral_5m_input_tokens"), written_1h)
        written = sum(part or 0 for part in parts) if any(part is not None for part in parts) else None
    return UsageReport(
        input=_count(usage, "input_tokens"),
        output=_count(usage, "output_tokens"),
        cache_read=_count(usage, "cache_read_input_tokens"),
        cache_write=written,
        reasoning=_count(usage, "output_tokens_details", "thinking_tokens"),
        cache_write_1h=written_1h,
    )


def _count(usage: Mapping[str, JsonValue], *path: str) -> int | None:
    value: JsonValue | Mapping[str, JsonValue] = usage
    for key in path:
        value = value.get(key) if isinstance(value, Mapping) else None
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
