"""The output of `finclaw skills`."""

from __future__ import annotations

from finclaw_cli.app.inventory import find_skills
from finclaw_cli.cli.installed import installed
from finclaw_cli.cli.listing import print_json
from finclaw_cli.core.errors import UsageError
from finclaw_cli.output.console import echo, echo_table
from finclaw_cli.output.notice import notice
from finclaw_cli.prompt.skills import skill_body, skill_file, skill_files


def print_skills(*, as_json: bool) -> None:
    """Print all available skills."""
    found = find_skills(installed().plugins)
    skills = list(found.usable.values())
    if as_json:
        print_json(
            [
                {
                    "name": skill.name,
                    "source": skill.source,
                    "description": skill.description,
                    "tools": list(skill.tools),
                    "folder": skill.folder,
                }
                for skill in skills
            ]
        )
    elif skills:
        echo_table(("NAME", "FROM", "WHAT FOR"), [(s.name, s.source, s.description) for s in skills], drop=("FROM",))
    else:
        echo("There are no skills. A skill is a folder with a SKILL.md in .finclaw/skills of a project.")
    for problem in found.problems:
        notice(f"finclaw: {problem}")


def print_skill(name: str, file: str | None) -> None:
    """Print a skill's instructions and the names of its files, or one of its files.

    Raises:
        UsageError: there is no such skill or file.
    """
    skills = find_skills(installed().plugins).usable
    skill = skills.get(name)
    if skill is None:
        raise UsageError(f"no skill is called {name!r}; skills: {', '.join(skills) or 'none'}", code="unknown_skill")
    if file is not None:
        echo(skill_file(skill, file))
        return
    echo(skill_body(skill))
    if files := skill_files(skill):
        echo("\nFiles: " + ", ".join(files))
