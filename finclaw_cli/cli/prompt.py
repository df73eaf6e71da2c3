"""The prompt: from the argument, from stdin, from files, or from all of them."""

from __future__ import annotations

import errno
import os
import select
import stat
from collections.abc import Callable
from pathlib import Path

from finclaw_cli.cli.decode import decode
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
    encoding: str | None = None
    """The encoding of stdin and of the files; None where it is to be found out."""


def read_prompt(parts: PromptParts, warn: Callable[[str, str], None]) -> str:
    """Put the prompt together: the argument first, then stdin, then the files, each marked as what it is.

    A stdin that is open but silent is waited for only so long when there is an argument; `warn(code, message)` tells.

    Raises:
        UsageError: there is no prompt, a file cannot be read, or something is too large or no text.
    """

    def text(data: bytes, name: str) -> str:
        decoded = decode(data, name, parts.encoding)
        if decoded.detected is not None:
            warn("encoding", f"{name} is not UTF-8: read as {decoded.detected}; --encoding names another")
        return decoded.text

    words = "" if parts.argument in {None, "-"} else well_formed(parts.argument or "")
    piped = text(_piped(parts, bool(words.strip()), warn), "stdin")
    if parts.argument == "-" or not words.strip():
        words, piped = piped, ""
    sections = [words.strip("\n")] if words.strip() else []
    if piped.strip():
        sections.append(f"<stdin>\n{piped.rstrip()}\n</stdin>")
    if not sections:
        raise _no_prompt()
    files = ((path.name, text(read_bytes(path), str(path))) for path in parts.files)
    sections.extend(f'<file name="{name}">\n{content.rstrip()}\n</file>' for name, content in files)
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


def _piped(parts: PromptParts, has_words: bool, warn: Callable[[str, str], None]) -> bytes:
    if not parts.stdin_is_ours:
        return b""
    try:
        mode = os.fstat(STDIN).st_mode
    except OSError:
        return b""  # closed: nothing will come
    if os.isatty(STDIN):
        return read_stdin() if parts.argument == "-" else b""
    waits = stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode) or stat.S_ISCHR(mode)
    if has_words and waits and not select.select([STDIN], [], [], parts.stdin_timeout_s)[0]:
        warn("stdin_timeout", f"stdin is open but sent nothing for {parts.stdin_timeout_s:g} s: going on without it")
        return b""
    return read_stdin()


def _read_piece() -> bytes:
    try:
        return os.read(STDIN, CHUNK)
    except OSError as error:
        if error.errno == errno.EBADF:
            return b""  # open for writing alone, as nohup leaves it: nothing will come
        raise


def read_stdin() -> bytes:
    """What is on stdin, whole.

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


def read_bytes(path: Path) -> bytes:
    """A file, or a pipe as `<(command)` makes one, whole.

    Raises:
        UsageError: it cannot be read, or is too large.
    """
    try:
        with path.open("rb") as file:
            data = file.read(MAX_INPUT_BYTES + 1)
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}", code="bad_file") from error
    if len(data) > MAX_INPUT_BYTES:
        raise UsageError(f"{path} is larger than {MAX_INPUT_BYTES:,} bytes", code="bad_file")
    return data
