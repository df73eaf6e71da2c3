"""What a tool gave, as it may go on: readable text, without what hides, lies or should not be seen, and not too much.

In order: nothing becomes a word, values become JSON, a page becomes its text, invisible characters and escape
sequences go, private data and secrets are masked, and what is left is cut to size.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping
from dataclasses import field, replace
from functools import cached_property, partial

from finclaw_cli.core.clean import without_hidden
from finclaw_cli.core.environment import environment
from finclaw_cli.core.record import record
from finclaw_cli.core.tool import PlainText, ToolSpec
from finclaw_cli.masking.masked import EDGE, Masked
from finclaw_cli.tools.html import is_page, page_text
from finclaw_cli.tools.render import MAX_CHARS, cut, render

# How much further than what is kept is looked, because masks may be shorter than what they hide.
MARGIN = 20_000
PIECE_CHARS = 1_000_000

# What frameworks hang onto their results for themselves.
INTERNAL_KEYS = frozenset({"stack", "stacktrace", "stack_trace", "traceback"})
_TRACEBACK = r"(?m)^Traceback \(most recent call last\):\n(?:[ \t].*\n|\n)*"


@record(kw_only=True)
class ToolGuard:
    """What the user wants of the guard for one tool."""

    allow_html: bool = False
    """Whether a page stays as it is, and is not reduced to its text."""
    mask_private: bool = True


USUAL = ToolGuard()


@record(kw_only=True)
class GuardSettings:
    """What the user wants of the guard. `max_chars` is what is kept of one result."""

    max_chars: int = 100_000
    tools: Mapping[str, ToolGuard] = field(default_factory=dict)
    """Single tools, by name."""
    patterns: Mapping[str, str] = field(default_factory=dict)
    """The user's own patterns of what is private, by kind."""


@record(kw_only=True)
class Guarded:
    """A result that may go on, and what was done to it."""

    text: str
    masked: Mapping[str, int] = field(default_factory=dict)
    """How many pieces of which kind were masked."""
    truncated: bool = False
    original_chars: int = 0
    """The length of what the tool gave; of JSON that is longer than what is looked at, the length of that."""
    bytes: int | None = None
    """The size of the same in UTF-8, and `sha256` its hash, where it was cut."""
    sha256: str | None = None


class Guard:
    """Stands between tools and everything that sees their results."""

    def __init__(self, settings: GuardSettings) -> None:
        self._settings = settings

    def result(self, value: object, tool: ToolSpec) -> Guarded:
        """What a tool returned."""
        if isinstance(value, str) and not self._may_be_html(value, tool) and is_page(value[:MAX_CHARS]):
            return self._safe(page_text(render(value)), tool, value)
        text = render(_without_internals(value), self._looked_at + 1)
        return self._safe(text, tool, value if isinstance(value, str) else text)

    def error(self, message: str, tool: ToolSpec) -> Guarded:
        """The error of a tool, without the stack."""
        return self._safe(re.sub(_TRACEBACK, "", message[:MAX_CHARS]), tool, message)

    def _of(self, tool: ToolSpec) -> ToolGuard:
        return self._settings.tools.get(tool.name, USUAL)

    def _may_be_html(self, value: str, tool: ToolSpec) -> bool:
        return isinstance(value, PlainText) or self._of(tool).allow_html

    @property
    def _looked_at(self) -> int:
        return self._settings.max_chars + MARGIN

    def _safe(self, text: str, tool: ToolSpec, original: str) -> Guarded:
        # What is thrown away need not be cleaned.
        probed = text[: self._looked_at]
        shown = without_hidden(probed)
        known = environment().secrets.mask(shown)
        masked: dict[str, int] = {} if known == shown else {"key": 1}
        if self._of(tool).mask_private:
            private = self._mask_private(known)
            known = private.text
            masked |= private.kinds
        if len(probed) < len(text):
            # What ends where the look ended may be the half of something, which was not recognised.
            kept = cut(known, min(self._settings.max_chars, max(len(known) - EDGE, 0)))
        else:
            kept = cut(known, self._settings.max_chars)
        guarded = Guarded(text=kept.text, masked=masked, truncated=kept.truncated, original_chars=len(original))
        if not kept.truncated:
            return guarded
        size, sha256 = _identity(original)
        return replace(guarded, bytes=size, sha256=sha256)

    @cached_property
    def _mask_private(self) -> Callable[[str], Masked]:
        """Made at the first result: a run without one does not wait for the many expressions this is made of."""
        from finclaw_cli.masking.patterns import compile_pattern
        from finclaw_cli.masking.private import mask_private

        extra = [compile_pattern(kind, pattern) for kind, pattern in self._settings.patterns.items()]
        return partial(mask_private, extra=extra)


def _identity(text: str) -> tuple[int, str]:
    """The size of a text in UTF-8, and its SHA-256; made in pieces, as the text may be as large as the memory."""
    size, digest = 0, hashlib.sha256()
    for start in range(0, len(text), PIECE_CHARS):
        piece = text[start : start + PIECE_CHARS].encode("utf-8", "surrogatepass")
        size += len(piece)
        digest.update(piece)
    return size, digest.hexdigest()


def _without_internals(value: object) -> object:
    """Drop stacks, and the `details` of a `content` with details: they are not meant for a model."""
    if not isinstance(value, Mapping):
        return value
    dropped = INTERNAL_KEYS | ({"details"} if "content" in value else set())
    return {key: item for key, item in value.items() if key not in dropped}
