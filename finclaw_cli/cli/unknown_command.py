"""Errors for unknown commands, with suggestions."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from finclaw_cli.core.errors import UsageError

_ASK = 'To ask a question: finclaw run "…"'
_KEY = (
    "Set ANTHROPIC_API_KEY or OPENAI_API_KEY, or keep the key in the system's keyring (see Keys in the documentation); "
    "`finclaw doctor` lists those that are found."
)
_HINTS = {
    "chat": "To talk at the terminal: finclaw run -i",
    "ask": _ASK,
    "login": _KEY,
    "auth": _KEY,
    "keys": _KEY,
    "key": _KEY,
    "set": "Settings are in the file that `finclaw config path` names; prices and windows: finclaw models set.",
    "data": "It comes with the plugin finclaw-market.",
    "ledger": "It comes with the plugin finclaw-ledger.",
    "filings": "It comes with the plugin finclaw-filings.",
    "demo": "It comes with the plugin finclaw-demo.",
}
# Longer words are not quoted: they may be a question, or a pasted key.
_MOST_CHARS = 30


def unknown_command(word: str, commands: Iterable[str]) -> UsageError:
    """The error for an unknown command, with a suggestion."""
    if " " in word or "?" in word:
        return UsageError("a question needs the command run", hint=_ASK)
    shown = repr(word) if len(word) <= _MOST_CHARS and word.isprintable() else "this"
    near = difflib.get_close_matches(word, commands, n=1)
    otherwise = f"Did you mean {near[0]!r}?" if near else "`finclaw --help` lists the commands."
    return UsageError(f"there is no command {shown}", hint=_HINTS.get(word.lower(), otherwise))
