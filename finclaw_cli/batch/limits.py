"""What is known of a server's rate limits: from the settings, and from the headers of its answers."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from typing import Final, Literal

from finclaw_cli.core.record import record
from finclaw_cli.providers.config import ProviderConfig
from finclaw_cli.settings.tables import ModelSettings

Kind = Literal["requests", "tokens", "input", "output"]
"""`tokens` are those of input and output together."""
KINDS: Final[tuple[Kind, ...]] = ("requests", "tokens", "input", "output")
_HEADERS: Final[Mapping[Kind, tuple[str, str]]] = {
    "requests": ("anthropic-ratelimit-requests-{}", "x-ratelimit-{}-requests"),
    "tokens": ("", "x-ratelimit-{}-tokens"),
    "input": ("anthropic-ratelimit-input-tokens-{}", ""),
    "output": ("anthropic-ratelimit-output-tokens-{}", ""),
}
"""https://platform.claude.com/docs/en/api/rate-limits, https://platform.openai.com/docs/guides/rate-limits"""
_BEHIND_LITELLM: Final = "llm_provider-"
_LONGEST_NUMBER: Final = 12
_DATED = re.compile(r"[-@](\d{8}|\d{4}-\d{2}-\d{2}|latest)\Z")
_CLAUDE = re.compile(r"claude-(?:opus|sonnet|haiku)-\d{1,2}(?=-|\Z)")


@record(kw_only=True)
class Reported:
    """What a server reports of one limit."""

    kind: Kind
    most: int
    """In a minute."""
    left: int | None


def chosen_limits(model: ModelSettings | None) -> dict[Kind, int]:
    """The limits of the settings."""
    if model is None:
        return {}
    of_kind: dict[Kind, int | None] = {
        "requests": model.requests_per_minute,
        "tokens": model.tokens_per_minute,
        "input": model.input_tokens_per_minute,
        "output": model.output_tokens_per_minute,
    }
    return {kind: most for kind, most in of_kind.items() if most is not None}


def reported_limits(headers: Mapping[str, str]) -> Iterator[Reported]:
    """The limits that the headers of an answer name; what has no known form is left out."""
    for kind, forms in _HEADERS.items():
        for form in (prefix + form for prefix in ("", _BEHIND_LITELLM) for form in forms if form):
            most = _number(headers.get(form.format("limit")))
            if most:
                yield Reported(kind=kind, most=most, left=_number(headers.get(form.format("remaining"))))
                break


def family(model: str) -> str:
    """The models that share limits: those of one generation of Claude, and the dated versions of any model."""
    name = _DATED.sub("", model.rpartition("/")[2].lower())
    found = _CLAUDE.match(name)
    return found.group() if found else name


def fingerprint(provider: str, config: ProviderConfig) -> str:
    """Names a provider with its address and key, without either."""
    parts = "\0".join((config.base_url or "", config.api_key or ""))
    return f"{provider}:{hashlib.sha256(parts.encode('utf-8', 'replace')).hexdigest()[:16]}"


def _number(text: str | None) -> int | None:
    text = (text or "").strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) <= _LONGEST_NUMBER else None
