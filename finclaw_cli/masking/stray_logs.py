"""What libraries and tools log without a handler goes to stderr, tracebacks included: with keys masked.

Called before the first code of others is imported; listings import none, and so no `logging` either.
"""

from __future__ import annotations

import logging

from finclaw_cli.core.secrets import PROCESS


class _MaskingFormatter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        return PROCESS.mask(super().format(record))


def mask_stray_logs() -> None:
    """From here on, no known key is shown by a log of last resort."""
    if logging.lastResort is not None:
        logging.lastResort.setFormatter(_MaskingFormatter())
