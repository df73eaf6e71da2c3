"""The text of a prompt: the question, what comes with it, and files, each marked as what it is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from finclaw_cli.app.decode import decode
from finclaw_cli.core.errors import UsageError

MAX_INPUT_BYTES = 10 * 1024 * 1024
Warn = Callable[[str, str], None]
"""Takes the code of a warning and its message."""


def joined_prompt(words: str, piped: str, files: Sequence[tuple[str, str]]) -> str:
    """The question first, then what was piped, then the files as pairs of name and text."""
    sections = [words.strip("\n")] if words.strip() else []
    if piped.strip():
        sections.append(f"<stdin>\n{piped.rstrip()}\n</stdin>")
    sections.extend(f'<file name="{name}">\n{content.rstrip()}\n</file>' for name, content in files)
    return "\n\n".join(sections)


def file_texts(paths: Sequence[Path], encoding: str | None, warn: Warn) -> list[tuple[str, str]]:
    """The name and the text of each file.

    Raises:
        UsageError: one cannot be read, is too large, or is not text.
    """
    return [(path.name, decoded_text(read_bytes(path), str(path), encoding, warn)) for path in paths]


def decoded_text(data: bytes, name: str, encoding: str | None, warn: Warn) -> str:
    """The text of a file or a stream; an encoding that had to be detected is a warning.

    Raises:
        UsageError: it is not text in that encoding; or it is binary, or no encoding fits it.
    """
    decoded = decode(data, name, encoding)
    if decoded.detected is not None:
        warn("encoding", f"{name} is not UTF-8: read as {decoded.detected}; --encoding names another")
    return decoded.text


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
