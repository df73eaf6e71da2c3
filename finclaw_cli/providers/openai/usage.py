"""Token counts of OpenAI's wires, made disjoint: their prompt tokens include what a cache gave and took."""

from __future__ import annotations

from finclaw_cli.core.chunks import UsageReport
from finclaw_cli.core.json_text import JsonObject, JsonValue
from finclaw_cli.providers.fields import count, record


def chat_usage(usage: JsonObject) -> UsageReport:
    """Read the `usage` of a Chat Completions chunk, in any server's spelling."""
    details = record(usage.get("prompt_tokens_details"))
    reasoning = _first(
        record(usage.get("completion_tokens_details")).get("reasoning_tokens"), usage.get("reasoning_tokens")
    )
    prompt = count(usage.get("prompt_tokens"))
    output = count(usage.get("completion_tokens"))
    return _disjoint(
        prompt=prompt,
        output=_with_hidden(output, prompt, count(usage.get("total_tokens"))),
        cached=_first(details.get("cached_tokens"), usage.get("cached_tokens"), usage.get("prompt_cache_hit_tokens")),
        written=count(details.get("cache_write_tokens")),
        reasoning=reasoning,
    )


def responses_usage(usage: JsonObject) -> UsageReport:
    """Read the `usage` of a response."""
    details = record(usage.get("input_tokens_details"))
    return _disjoint(
        prompt=count(usage.get("input_tokens")),
        output=count(usage.get("output_tokens")),
        cached=count(details.get("cached_tokens")),
        written=count(details.get("cache_write_tokens")),
        reasoning=count(record(usage.get("output_tokens_details")).get("reasoning_tokens")),
    )


def _disjoint(
    *, prompt: int | None, output: int | None, cached: int | None, written: int | None, reasoning: int | None
) -> UsageReport:
    if prompt is not None:
        cached = None if cached is None else min(cached, prompt)
        written = None if written is None else min(written, prompt - (cached or 0))
    return UsageReport(
        input=None if prompt is None else prompt - (cached or 0) - (written or 0),
        output=output,
        cache_read=cached,
        cache_write=written,
        reasoning=reasoning,
    )


def _with_hidden(output: int | None, prompt: int | None, total: int | None) -> int | None:
    # xAI and Gemini leave the thinking out of completion_tokens, but not out of the total, nor out of the bill.
    if output is None or prompt is None or total is None:
        return output
    return max(output, total - prompt)


def _first(*values: JsonValue) -> int | None:
    return next((number for value in values if (number := count(value)) is not None), None)
