"""What users, projects and plugins add to the prompt, or put in the place of finclaw's own sections."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field
from pathlib import Path

from finclaw_cli.core.beneath import NotBeneath, read_beneath
from finclaw_cli.core.clean import clean_line
from finclaw_cli.core.errors import UsageError
from finclaw_cli.core.record import record
from finclaw_cli.prompt.builtin_sections import MAKERS, NOT_FOR_PROJECTS, REQUIRED
from finclaw_cli.prompt.headings import heading, titled
from finclaw_cli.prompt.section import PromptSection

MAX_BYTES = 64 * 1024
MAX_FILES = 50
# Of one folder together: every request carries them, and is paid for.
MAX_ALL = 256 * 1024
NO_LINKS = "it is a link, and links are not followed"
USERS_PRIORITY, PROJECTS_PRIORITY = 50, 45
_ID = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


@record(kw_only=True)
class PromptFile:
    """One file of a user's or a project's; without content it takes a section away."""

    id: str
    title: str
    content: str
    source: str
    """`user` or `project`."""


@record(kw_only=True)
class Additions:
    """What others have to say, as far as they may."""

    files: dict[str, PromptFile] = field(default_factory=dict)
    """In the place of finclaw's own sections, by their ids."""
    sections: tuple[PromptSection, ...] = ()
    """Beside them."""


def additions(
    folders: Iterable[tuple[Path, str]], of_plugins: Sequence[PromptSection] = ()
) -> tuple[Additions, list[str]]:
    """What the files and the plugins say, and a line for each that was left out.

    Of two with one name the user's stays, then the plugin's: a project comes with a checkout, of any author.
    """
    problems: list[str] = []
    files: dict[str, PromptFile] = {}
    for file in _read_all(folders, problems):
        first = files.setdefault(file.id, file)
        if first is not file:
            problems.append(f"{_named(file)} was left out: the {first.source} has one of that name")
    ours = {name: file for name, file in files.items() if name in MAKERS}
    added = Additions(files=ours, sections=tuple(_beside(files, of_plugins, problems)))
    return added, [clean_line(problem) for problem in problems]


def _beside(
    files: dict[str, PromptFile], of_plugins: Sequence[PromptSection], problems: list[str]
) -> Iterator[PromptSection]:
    added = [file for name, file in files.items() if name not in MAKERS]
    of_user, of_project = ([file for file in added if file.source == source] for source in ("user", "project"))
    taken = {file.id for file in of_user}
    yield from (_section(file) for file in of_user if file.content)
    yield from (section for section in of_plugins if section.id not in taken)
    taken |= {section.id for section in of_plugins}
    for file in of_project:
        if file.id in taken:
            problems.append(f"{_named(file)} was left out: a plugin has a section of that name")
        elif file.content:
            yield _section(file)


def _section(file: PromptFile) -> PromptSection:
    priority = USERS_PRIORITY if file.source == "user" else PROJECTS_PRIORITY
    return PromptSection(id=file.id, title=file.title, content=file.content, priority=priority, source=file.source)


def _read_all(folders: Iterable[tuple[Path, str]], problems: list[str]) -> Iterator[PromptFile]:
    for folder, source in folders:
        try:
            paths = _paths(folder, source)
        except UsageError as error:
            problems.append(f"prompt folder {folder} of the {source} was left out: {error.message}")
            continue
        if len(paths) > MAX_FILES:
            problems.append(f"{folder}: only the first {MAX_FILES} of {len(paths)} prompt files are read")
        yield from _read_some(paths[:MAX_FILES], source, problems)


def _paths(folder: Path, source: str) -> list[Path]:
    """The prompt files of a folder by their names.

    Raises:
        UsageError: it is none that is read.
    """
    # A checkout may name nothing that lies elsewhere; the user's own folder may well be kept in another place.
    if source == "project" and (_is_link(folder) or _is_link(folder.parent)):
        raise UsageError(NO_LINKS)
    try:
        paths = sorted(folder.iterdir())
    except NotADirectoryError as error:
        raise UsageError("it is no folder") from error
    except OSError as error:
        raise UsageError(f"it cannot be read: {error.strerror}") from error
    return [path for path in paths if path.name.endswith(".md") and not path.name.startswith(".")]


def _is_link(path: Path) -> bool:
    try:
        return path.is_symlink()
    except OSError:  # it cannot be examined, which reading it will report
        return False


def _read_some(paths: Iterable[Path], source: str, problems: list[str]) -> Iterator[PromptFile]:
    room = MAX_ALL
    for path in paths:
        try:
            file = _read(path, source, room)
        except UsageError as error:
            problems.append(f"prompt file {path.name} of the {source} was left out: {error.message}")
            continue
        room -= len(file.content)
        yield file


def _read(path: Path, source: str, room: int) -> PromptFile:
    """One file as it may be used.

    Raises:
        UsageError: it may not, or it cannot be read.
    """
    name = path.stem
    if not is_id(name):
        raise UsageError("its name has to be lower-case words with hyphens between them, 64 characters at most")
    if source == "project" and name in NOT_FOR_PROJECTS:
        raise UsageError("a project cannot change that section; a file of your own can, beside your settings")
    title, content = titled(_text(path, source))
    if len(content) > room:
        raise UsageError(f"the files of its folder have more than {MAX_ALL // 1024} KiB together")
    if not content and name in REQUIRED:
        raise UsageError("it is empty, and that section has to stay")
    return PromptFile(id=name, title=heading(name, title, source), content=content, source=source)


def _text(path: Path, source: str) -> str:
    if _is_link(path):
        raise UsageError(NO_LINKS)
    # In a checkout the folders may be links, too: none of them is followed.
    depth = 3 if source == "project" else 1
    folder, name = path.parents[depth - 1], "/".join(path.parts[-depth:])
    try:
        data = read_beneath(folder, name, MAX_BYTES + 1)
    except NotBeneath as error:
        raise UsageError(str(error)) from error
    if len(data) > MAX_BYTES:
        raise UsageError(f"it is larger than {MAX_BYTES // 1024} KiB")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError("it is no UTF-8 text") from error


def _named(file: PromptFile) -> str:
    return f"prompt file {file.id}.md of the {file.source}"


def is_id(name: str) -> bool:
    """Whether a section can be called that."""
    return len(name) <= 64 and _ID.fullmatch(name) is not None  # noqa: PLR2004 - as skills
