"""Skills: folders with instructions that a model can ask for."""

from __future__ import annotations

from pathlib import Path

import pytest

from finclaw_cli.core.errors import UsageError
from finclaw_cli.plugin_host.skills import load_skill_tool
from finclaw_cli.prompt.skills import Skill, find_skills, read_skill, skills_section
from finclaw_cli.testing.tools import run_tool

GOOD = "---\nname: tidy-up\ndescription: Tidy a portfolio.\nallowed-tools: get_quote read\n---\n# Tidying\n\nDo it.\n"


def skill(folder: Path, text: str = GOOD, name: str = "tidy-up") -> Path:
    place = folder / name
    place.mkdir(parents=True)
    (place / "SKILL.md").write_text(text, encoding="utf-8")
    return place


def read(folder: Path) -> Skill:
    return read_skill(folder, "user")


def test_the_front_matter_says_what_it_is_for(tmp_path: Path):
    found = read(skill(tmp_path))
    assert (found.name, found.description, found.tools) == ("tidy-up", "Tidy a portfolio.", ("get_quote", "read"))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("# no front matter", "no front matter"),
        ("---\nname: tidy-up\n", "no front matter"),
        ("---\nname: [\n---\n", "no YAML"),
        ("---\n- a\n---\n", "a mapping"),
        ("---\ndescription: x\n---\n", "its name"),
        ("---\nname: Tidy Up\ndescription: x\n---\n", "its name"),
        ("---\nname: other\ndescription: x\n---\n", "its folder is called"),
        ("---\nname: tidy-up\n---\n", "a description"),
        ("---\nname: tidy-up\ndescription: '  '\n---\n", "a description"),
        (f"---\nname: tidy-up\ndescription: {'x' * 1025}\n---\n", "a description"),
        ("---\nname: tidy-up\ndescription: !!python/object/apply:os.system ['touch /tmp/pwned']\n---\n", "no YAML"),
    ],
)
def test_a_broken_one_is_named_with_the_reason(tmp_path: Path, text: str, why: str):
    skill(tmp_path, text)
    skills, problems = find_skills(tmp_path, "user")
    assert skills == []
    assert len(problems) == 1
    assert problems[0].startswith("skill tidy-up was left out: ")
    assert why in problems[0]


def test_a_broken_one_spoils_no_other(tmp_path: Path):
    skill(tmp_path)
    skill(tmp_path, "nothing", "broken")
    skills, problems = find_skills(tmp_path, "user")
    assert ([found.name for found in skills], len(problems)) == (["tidy-up"], 1)


def test_a_file_that_is_no_text_is_refused(tmp_path: Path):
    (skill(tmp_path) / "SKILL.md").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(UsageError, match="UTF-8"):
        read(tmp_path / "tidy-up")


def test_hidden_characters_in_a_description_do_not_reach_the_prompt(tmp_path: Path):
    folder = skill(
        tmp_path, '---\nname: tidy-up\ndescription: "a\\u202eb\\u200bc\\ud\\e[31m"\n---\n'.replace("\\ud", "")
    )
    section = skills_section([read(folder)])
    assert "tidy-up" in section
    assert not {"\u202e", "\x1b"} & set(section)


def asked(folder: Path, **given: str) -> tuple[str, bool]:
    found = read(folder)
    result = run_tool(load_skill_tool({found.name: found}), {"name": "tidy-up", **given})
    return result.content, result.is_error


def test_the_model_gets_the_body_without_the_front_matter(tmp_path: Path):
    folder = skill(tmp_path)
    (folder / "form.md").write_text("form")
    assert asked(folder) == ("# Tidying\n\nDo it.\n\nFiles of this skill: form.md", False)


def test_the_model_gets_one_of_its_files(tmp_path: Path):
    folder = skill(tmp_path)
    (folder / "forms").mkdir()
    (folder / "forms" / "a.md").write_text("the form")
    assert asked(folder, file="forms/a.md") == ("the form", False)


@pytest.mark.parametrize(
    "name",
    [
        "../secret",
        "/etc/passwd",
        "link",
        "linked/secret",
        "a/../../secret",
        "fifo",
        ".",
        "",
        "none",
        "a\0b",
        "x" * 5000,
    ],
)
def test_nothing_outside_its_folder_is_read(tmp_path: Path, name: str):
    import os

    folder = skill(tmp_path)
    (tmp_path / "secret").write_text("CANARY")
    (folder / "link").symlink_to(tmp_path / "secret")
    (folder / "linked").symlink_to(tmp_path)
    os.mkfifo(folder / "fifo")
    content, is_error = asked(folder, file=name)
    assert is_error
    assert "CANARY" not in content


def test_an_unknown_skill_is_answered_with_those_there_are(tmp_path: Path):
    found = read(skill(tmp_path))
    result = run_tool(load_skill_tool({found.name: found}), {"name": "tidy"})
    assert result.content == "there is no skill 'tidy'; skills: tidy-up"
