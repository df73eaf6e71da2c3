"""Skills: folders with a `SKILL.md`: what a model should know to do one kind of work.

The format is the open Agent Skills format: front matter in YAML with `name` and `description`, then Markdown.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import cast

from finclaw_cli.core.beneath import NotBeneath, read_beneath
from finclaw_cli.core.clean import without_hidden
from finclaw_cli.core.errors import UsageError
from finclaw_cli.core.record import record

FILE = "SKILL.md"
MAX_BYTES = 256 * 1024
MAX_FRONT_BYTES = 16 * 1024
MAX_DESCRIPTION = 1024
MAX_SKILLS = 200
MAX_FILES = 200
# Compiled for the first skill: most starts of the program read none.
_NAME = r"[a-z0-9]+(?:-[a-z0-9]+)*"
_FRONT = r"(?ms)\A---[ \t]*\r?\n(.*?)^---[ \t]*(?:\r?\n|\Z)"


@record(kw_only=True)
class Skill:
    """One skill, as lists and the prompt know it."""

    name: str
    description: str
    folder: str
    tools: tuple[str, ...] = ()
    """Tools that it works with (`allowed-tools`): offered with it, under the same policy."""
    source: str = ""
    """`user`, `project`, or `plugin:` and a distribution."""


def find_skills(folder: Path, source: str) -> tuple[list[Skill], list[str]]:
    """The skills in a folder: itself one, or a folder of such folders; and a line for each that is broken."""
    skills: list[Skill] = []
    problems: list[str] = []
    for candidate in _candidates(folder):
        try:
            skills.append(read_skill(candidate, source))
        except UsageError as error:
            problems.append(f"skill {candidate.name} was left out: {error.message}")
    return skills, problems


def _candidates(folder: Path) -> list[Path]:
    try:
        if (folder / FILE).exists():
            return [folder]
        inner = sorted(item for item in folder.iterdir() if (item / FILE).exists())
    except OSError:
        return []
    return inner[:MAX_SKILLS]


def read_skill(folder: Path, source: str) -> Skill:
    """The front matter of a skill.

    Raises:
        UsageError: there is none, or it breaks the format.
    """
    front = re.match(_FRONT, _text(folder, FILE))
    if front is None or len(front[1]) > MAX_FRONT_BYTES:
        raise UsageError(f"{FILE} has no front matter between two lines of ---")
    facts = _facts(front[1])
    name, description = facts.get("name"), facts.get("description")
    if not isinstance(name, str) or len(name) > 64 or not re.fullmatch(_NAME, name):  # noqa: PLR2004 - the format's limit
        raise UsageError("its name has to be lower-case words with hyphens between them, 64 characters at most")
    if name != folder.name:
        raise UsageError(f"its name is {name!r}, but its folder is called {folder.name!r}")
    if not isinstance(description, str) or not 0 < len(description.strip()) <= MAX_DESCRIPTION:
        raise UsageError(f"it needs a description of at most {MAX_DESCRIPTION} characters")
    return Skill(
        name=name,
        description=" ".join(without_hidden(description).split()),
        folder=str(folder),
        tools=tuple(_tools(facts.get("allowed-tools"))),
        source=source,
    )


def _facts(text: str) -> dict[str, object]:
    import yaml

    try:
        loaded = yaml.safe_load(text)
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        first = str(error).partition("\n")[0]
        raise UsageError(f"its front matter is no YAML: {first}") from error
    if not isinstance(loaded, dict):
        raise UsageError("its front matter has to be a mapping")
    return cast("dict[str, object]", loaded)


def _tools(value: object) -> Iterator[str]:
    words = value.replace(",", " ").split() if isinstance(value, str) else value if isinstance(value, list) else []
    yield from (word for word in words if isinstance(word, str))


def skill_body(skill: Skill) -> str:
    """The instructions, without the front matter.

    Raises:
        UsageError: the file is gone, too large, or no text.
    """
    return re.sub(_FRONT, "", _text(Path(skill.folder), FILE), count=1).strip()


def skill_file(skill: Skill, name: str) -> str:
    """One of a skill's other files; never one outside its folder.

    Raises:
        UsageError: there is none of that name inside, or it is no text.
    """
    return _text(Path(skill.folder), name)


def skill_files(skill: Skill) -> list[str]:
    """The names of a skill's other files, relative to its folder."""
    folder = Path(skill.folder)
    found = (path for path in sorted(folder.rglob("*")) if path.is_file() and not path.is_symlink())
    names = [path.relative_to(folder).as_posix() for path in found]
    return [name for name in names if name != FILE and not name.startswith(".")][:MAX_FILES]


def skills_section(skills: Iterable[Skill]) -> str:
    """The text of the prompt on the skills; empty where there are none."""
    lines = [f"- {skill.name}: {skill.description}" for skill in skills]
    if not lines:
        return ""
    head = "You have skills: instructions for kinds of work. When one fits, call load_skill with its name first."
    return "\n".join([head, *lines])


def _text(folder: Path, name: str) -> str:
    try:
        data = read_beneath(folder, name, MAX_BYTES + 1)
    except NotBeneath as error:
        raise UsageError(str(error)) from error
    if len(data) > MAX_BYTES:
        raise UsageError(f"{name} is larger than {MAX_BYTES // 1024} KiB")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(f"{name} is no UTF-8 text") from error
