"""What masking gives. Apart from what does it, whose many expressions take a moment to be made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Masked:
    """A text without its private parts. When nothing was masked, `text` is the very object that was given."""

    text: str
    kinds: Mapping[str, int]
