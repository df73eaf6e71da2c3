"""All skills of a run, wherever they come from, and the tool that reads them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from finclaw_cli.core.errors import ToolError, UsageError
from finclaw_cli.core.json_text import ExactObject
from finclaw_cli.core.record import record
from finclaw_cli.core.tool import PlainText, ToolContext, ToolDefinition
from finclaw_cli.plugin_host.manager import PluginManager
from finclaw_cli.prompt.skills import Skill, find_skills, skill_body, skill_file, skill_files

NAME = "load_skill"


@record(kw_only=True)
class Skills:
    """The skills that can be used, by name, and a line for each that was left out."""

    usable: dict[str, Skill]
    problems: tuple[str, ...] = ()


def collect_skills(plugins: PluginManager, folders: Iterable[tuple[Path, str]]) -> Skills:
    """The user's skills, the project's, and those of trusted plugins; of two with one name the first stays."""
    usable: dict[str, Skill] = {}
    problems: list[str] = []
    for skill in (*_own(folders, problems), *_of_plugins(plugins, problems)):
        first = usable.setdefault(skill.name, skill)
        if first is not skill:
            problems.append(f"skill {skill.name} of {skill.source} was left out: {first.source} has one of that name")
    return Skills(usable=dict(sorted(usable.items())), problems=tuple(problems))


def _own(folders: Iterable[tuple[Path, str]], problems: list[str]) -> list[Skill]:
    found: list[Skill] = []
    for folder, source in folders:
        skills, wrong = find_skills(folder, source)
        found.extend(skills)
        problems.extend(wrong)
    return found


def _of_plugins(plugins: PluginManager, problems: list[str]) -> list[Skill]:
    found: list[Skill] = []
    for manifest in plugins.manifests:
        if not manifest.skills:
            continue
        if plugins.trusts(manifest):
            found.extend(replace(skill, source=f"plugin:{manifest.dist}") for skill in manifest.skills)
        else:
            names = ", ".join(skill.name for skill in manifest.skills)
            problems.append(f"skills of {manifest.dist} ({names}) were left out: finclaw plugins trust {manifest.dist}")
    return found


def load_skill_tool(skills: dict[str, Skill]) -> ToolDefinition:
    """The tool through which a model reads skills and the files that come with them."""

    async def load(given: ExactObject, context: ToolContext) -> object:  # noqa: ARG001 - a handler's shape
        skill = skills.get(str(given["name"]))
        if skill is None:
            raise ToolError(f"there is no skill {given['name']!r}; skills: {', '.join(skills) or 'none'}")
        try:
            return PlainText(_body(skill) if "file" not in given else skill_file(skill, str(given["file"])))
        except UsageError as error:
            raise ToolError(error.message) from error

    return ToolDefinition(
        name=NAME,
        description="Read a skill: instructions for one kind of work, or one of the files that come with it.",
        input_schema={
            "type": "object",
            "properties": {
                "name": {"type": "string", "description": "the skill's name"},
                "file": {"type": "string", "description": "one of its files instead of its instructions"},
            },
            "required": ["name"],
            "additionalProperties": False,
        },
        group="finance",
        read_only=True,
        idempotent=True,
        handler=load,
    )


def _body(skill: Skill) -> str:
    files = skill_files(skill)
    return skill_body(skill) + ("\n\nFiles of this skill: " + ", ".join(files) if files else "")
