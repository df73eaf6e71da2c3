"""The prompt: from the argument, from stdin, from files, or from all of them."""

from __future__ import annotations

import errno
import os
import select
import stat
from pathlib import Path

from finclaw_cli.app.prompt_text import MAX_INPUT_BYTES, Warn, decoded_text, file_texts, joined_prompt
from finclaw_cli.core.errors import UsageError
from finclaw_cli.core.json_text import well_formed
from finclaw_cli.core.record import record

CHUNK = 65_536
STDIN = 0


@record(kw_only=True)
class PromptParts:
    """The command line's options for the prompt."""

    argument: str | None
    files: tuple[Path, ...]
    stdin_timeout_s: float
    stdin_is_ours: bool = True
    """Whether stdin is a part of the prompt; not where it carries answers to approval requests."""
    encoding: str | None = None
    """The encoding of stdin and of the files; None to detect it."""


def read_prompt(parts: PromptParts, warn: Warn) -> str:
    """Join the prompt: the argument first, then stdin, then the files, each with its label.

    With an argument, an open stdin without data is awaited for a limited time; `warn(code, message)` reports it.

    Raises:
        UsageError: there is no prompt, a file cannot be read, or something is too large or no text.
    """
    words = "" if parts.argument in {None, "-"} else well_formed(parts.argument or "")
    piped = decoded_text(_piped(parts, bool(words.strip()), warn), "stdin", parts.encoding, warn)
    if parts.argument == "-" or not words.strip():
        words, piped = piped, ""
    if not words.strip() and not piped.strip():
        raise _no_prompt()
    if not piped and not parts.files:
        return words.strip("\n")
    return joined_prompt(words, piped, file_texts(parts.files, parts.encoding, warn))


def require_input(argument: str | None) -> None:
    """Refuse a command line without a prompt where stdin has none, before anything else is checked.

    Raises:
        UsageError: nothing was given, and stdin is a terminal or the null device.
    """
    if argument is None and (os.isatty(STDIN) or _is_null_device()):
        raise _no_prompt()


def _is_null_device() -> bool:
    try:
        return os.fstat(STDIN).st_rdev == Path(os.devnull).stat().st_rdev != 0
    except OSError:
        return False


def _no_prompt() -> UsageError:
    return UsageError(
        "there is no prompt",
        hint='Give one: finclaw run "How did ACME do in May?", or pipe one in; finclaw run -i asks for one.',
        code="no_prompt",
    )


def _piped(parts: PromptParts, has_words: bool, warn: Warn) -> bytes:
    if not parts.stdin_is_ours:
        return b""
    try:
        mode = os.fstat(STDIN).st_mode
    except OSError:
        return b""  # closed: there is no data
    if os.isatty(STDIN):
        return read_stdin() if parts.argument == "-" else b""
    waits = stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode) or stat.S_ISCHR(mode)
    if has_words and waits and not select.select([STDIN], [], [], parts.stdin_timeout_s)[0]:
        warn("stdin_timeout", f"no data came on the open stdin for {parts.stdin_timeout_s:g} s: continuing without it")
        return b""
    return read_stdin()


def _read_piece() -> bytes:
    try:
        return os.read(STDIN, CHUNK)
    except OSError as error:
        if error.errno == errno.EBADF:
            return b""  # open for writing alone, as by nohup: there is no data
        raise


def read_stdin() -> bytes:
    """Read all of stdin.

    Raises:
        UsageError: it is too large.
    """
    parts: list[bytes] = []
    size = 0
    while data := _read_piece():
        parts.append(data)
        size += len(data)
        if size > MAX_INPUT_BYTES:
            raise UsageError(f"stdin is larger than {MAX_INPUT_BYTES:,} bytes", hint="Send a part of it.")
    return b"".join(parts)
