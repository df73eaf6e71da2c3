"""What masking gives. Apart from what does it, whose many expressions take a moment to be made."""

from __future__ import annotations

from collections.abc import Mapping

from finclaw_cli.core.record import record

# Longer than anything that is masked: a private key. What ends where a text was cut may be the half of one.
EDGE = 5_000


@record(kw_only=True)
class Masked:
    """A text without its private parts. When nothing was masked, `text` is the very object that was given."""

    text: str
    kinds: Mapping[str, int]
