"""The files of an import: named one by one, in folders, or inside a zip, each read only when it is wanted."""

from __future__ import annotations

import hashlib
import lzma
import os
import re
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from finclaw_cli.sdk.files import read_regular
from finclaw_cli.sdk.tabular import FileProblem
from finclaw_filings.filing_file import MAX_FILING_BYTES
from finclaw_filings.sec_json import MAX_JSON_BYTES

MAX_FILES = 100_000
# Without --all a zip of more companies is not imported: the SEC's own has some 20,000.
MAX_MEMBERS = 500
_SUFFIXES = frozenset({".json", ".zip", ".htm", ".html", ".xhtml", ".txt", ".xml"})
_MEMBER = re.compile(r"(?:[\w-]{1,60}/)?(CIK(\d{10})(?:-submissions-\d{3})?\.json)")
_NAMED = re.compile(r"CIK(\d{10})(?:-submissions-\d{3})?\.json")
# What the decoders of a zip's methods raise for content that is damaged, encrypted, or of a method not known here.
_NOT_UNPACKED = (
    zipfile.BadZipFile, zlib.error, lzma.LZMAError, OSError, EOFError, RuntimeError, ValueError
)  # fmt: skip
_MAX_STRANGE, _MAX_REF = 20, 200
_LARGEST = max(MAX_FILING_BYTES, MAX_JSON_BYTES)


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """One file that may be imported; `ref` is how sources name it."""

    name: str
    ref: str
    read: Callable[[], bytes]


def digest(content: bytes) -> str:
    """The SHA-256 of a file, in hexadecimal."""
    return hashlib.sha256(content).hexdigest()


def files_in(path: Path, ciks: Collection[int], *, everything: bool) -> Iterator[Found]:
    """The files that a path names.

    Args:
        path: a file, a folder with files at any depth, or a zip.
        ciks: only these companies, where the file's name has the company; all of them where empty.
        everything: take also a zip of very many companies.

    Raises:
        FileProblem: it cannot be read, or holds too much.
    """
    if path.is_dir():
        for file in _walk(path):
            yield from _one(file, ciks, everything=everything)
    else:
        yield from _one(path, ciks, everything=everything)


def _walk(folder: Path) -> list[Path]:
    found: list[Path] = []
    for root, folders, names in os.walk(folder, followlinks=False):
        folders.sort()
        found.extend(Path(root, name) for name in sorted(names) if Path(name).suffix.lower() in _SUFFIXES)
        if len(found) > MAX_FILES:
            raise FileProblem(f"more than {MAX_FILES} files; name some of them")
    if not found:
        raise FileProblem("no JSON, zip, HTML, XML or text files in it")
    return found


def _one(path: Path, ciks: Collection[int], *, everything: bool) -> Iterator[Found]:
    if path.suffix.lower() == ".zip":
        yield from _members(path, ciks, everything=everything)
        return
    named = _NAMED.fullmatch(path.name)
    if named is None or not ciks or int(named.group(1)) in ciks:
        yield Found(name=path.name, ref=path.name, read=lambda: _content(path))


def _content(path: Path) -> bytes:
    try:
        content = read_regular(path, _LARGEST + 1)
    except OSError as error:
        raise FileProblem(str(error.strerror)) from None
    if len(content) > _LARGEST:
        raise FileProblem(f"larger than {_LARGEST} bytes")
    if not content.strip():
        raise FileProblem("the file is empty")
    return content


def _members(path: Path, ciks: Collection[int], *, everything: bool) -> Iterator[Found]:
    """The members of a zip that are wanted: only its directory is read, then each of them by itself."""
    try:
        with path.open("rb") as stream, zipfile.ZipFile(stream) as archive:
            wanted = [
                (info, found.group(1))
                for info in archive.infolist()
                if (found := _MEMBER.fullmatch(info.filename)) and (not ciks or int(found.group(2)) in ciks)
            ]
            if twice := [name for name, count in Counter(name for _, name in wanted).items() if count > 1]:
                raise FileProblem(f"it has {twice[0]} twice")
            strange = [info.filename for info in archive.infolist() if _is_elsewhere(info.filename)]
            _check_count([*wanted, *strange], ciks, everything=everything)
            for name in strange[:_MAX_STRANGE]:
                yield Found(name=name, ref=f"{path.name}:{name[:_MAX_REF]}", read=_refuse_path)
            for info, name in wanted:
                yield Found(name=name, ref=f"{path.name}:{name}", read=lambda info=info: _member(archive, info))  # type: ignore[misc]
    except OSError as error:
        raise FileProblem(str(error.strerror)) from None
    except zipfile.BadZipFile as error:
        raise FileProblem(f"not a whole zip file ({error})") from None


def _is_elsewhere(member: str) -> bool:
    """Whether a member has the name of a file of ours, in a folder that is none: `../` or an absolute path."""
    return (
        _MEMBER.fullmatch(member) is None and _NAMED.fullmatch(member.replace("\\", "/").rpartition("/")[2]) is not None
    )


def _refuse_path() -> bytes:
    raise FileProblem("skipped: its path in the zip is not a plain one")


def _check_count(wanted: Collection[object], ciks: Collection[int], *, everything: bool) -> None:
    if not wanted:
        whose = "these companies" if ciks else "any company"
        raise FileProblem(f"it has no CIK##########.json of {whose}")
    if len(wanted) > MAX_MEMBERS and not everything:
        raise FileProblem(f"it holds {len(wanted)} files; name companies with --cik or --ticker, or say --all")


def _member(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    if info.file_size > MAX_JSON_BYTES:
        raise FileProblem(f"larger than {MAX_JSON_BYTES} bytes")
    try:
        with archive.open(info) as stream:
            content = stream.read(MAX_JSON_BYTES + 1)
    except _NOT_UNPACKED as error:
        raise FileProblem(f"cannot be unpacked ({type(error).__name__})") from None
    if len(content) > MAX_JSON_BYTES:
        raise FileProblem(f"larger than {MAX_JSON_BYTES} bytes")
    return content
