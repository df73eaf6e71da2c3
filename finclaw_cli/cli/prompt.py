"""The prompt: from the argument, from stdin, from files, or from all of them."""

from __future__ import annotations

import errno
import os
import select
import stat
from collections.abc import Callable
from pathlib import Path

from finclaw_cli.core.errors import UsageError
from finclaw_cli.core.json_text import well_formed
from finclaw_cli.core.record import record

MAX_INPUT_BYTES = 10 * 1024 * 1024
CHUNK = 65_536
STDIN = 0


@record(kw_only=True)
class PromptParts:
    """What the command line says about the prompt."""

    argument: str | None
    files: tuple[Path, ...]
    stdin_timeout_s: float
    stdin_is_ours: bool = True
    """Whether what comes on stdin belongs to the prompt; not where answers to approval requests come there."""


def read_prompt(parts: PromptParts, warn: Callable[[str, str], None]) -> str:
    """Put the prompt together: the argument first, then stdin, then the files, each marked as what it is.

    A stdin that is open but silent is waited for only so long when there is an argument; `warn(code, message)` tells.

    Raises:
        UsageError: there is no prompt, a file cannot be read, or something is too large or no text.
    """
    words = "" if parts.argument in {None, "-"} else well_formed(parts.argument or "")
    piped = _piped(parts, bool(words.strip()), warn)
    if parts.argument == "-" or not words.strip():
        words, piped = piped, ""
    sections = [words.strip("\n")] if words.strip() else []
    if piped.strip():
        sections.append(f"<stdin>\n{piped.rstrip()}\n</stdin>")
    if not sections:
        raise _no_prompt()
    sections.extend(f'<file name="{path.name}">\n{read_text_file(path).rstrip()}\n</file>' for path in parts.files)
    return "\n\n".join(sections)


def require_input(argument: str | None) -> None:
    """Refuse a command line without a prompt where stdin cannot bring one, before anything else is looked at.

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


def _piped(parts: PromptParts, has_words: bool, warn: Callable[[str, str], None]) -> str:
    if not parts.stdin_is_ours:
        return ""
    try:
        mode = os.fstat(STDIN).st_mode
    except OSError:
        return ""  # closed: nothing will come
    if os.isatty(STDIN):
        if parts.argument == "-":
            return _text(_read_stdin(), "stdin")
        return ""
    waits = stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode) or stat.S_ISCHR(mode)
    if has_words and waits and not select.select([STDIN], [], [], parts.stdin_timeout_s)[0]:
        warn("stdin_timeout", f"stdin is open but sent nothing for {parts.stdin_timeout_s:g} s: going on without it")
        return ""
    return _text(_read_stdin(), "stdin")


def _read_piece() -> bytes:
    try:
        return os.read(STDIN, CHUNK)
    except OSError as error:
        if error.errno == errno.EBADF:
            return b""  # open for writing alone, as nohup leaves it: nothing will come
        raise


def _read_stdin() -> bytes:
    parts: list[bytes] = []
    size = 0
    while data := _read_piece():
        parts.append(data)
        size += len(data)
        if size > MAX_INPUT_BYTES:
            raise UsageError(f"stdin is larger than {MAX_INPUT_BYTES:,} bytes", hint="Send a part of it.")
    return b"".join(parts)


def read_text_file(path: Path) -> str:
    """A text file, or a pipe as `<(command)` makes one, whole.

    Raises:
        UsageError: it cannot be read, is too large, or is no text.
    """
    try:
        with path.open("rb") as file:
            data = file.read(MAX_INPUT_BYTES + 1)
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}", code="bad_file") from error
    if len(data) > MAX_INPUT_BYTES:
        raise UsageError(f"{path} is larger than {MAX_INPUT_BYTES:,} bytes", code="bad_file")
    return _text(data, str(path))


def _text(data: bytes, name: str) -> str:
    if b"\0" in data:
        raise UsageError(f"{name} is not text: it has NUL bytes", code="bad_file")
    return data.decode("utf-8-sig", "replace")
