"""Completion as bash asks for it, at words that it splits, and what is offered for the values of options."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.e2e.harness import COMMAND, ROOT, Finclaw

needs_bash = pytest.mark.skipif(shutil.which("bash") is None, reason="asks bash itself")
# Bash splits the words as its COMP_WORDBREAKS says; here that is done by hand, as an interactive bash would.
ASK = r"""
finclaw() { $FINCLAW "$@"; }
compopt() { echo "no space"; }
export -f finclaw
eval "$SCRIPT"
COMP_LINE=$LINE COMP_POINT=${#LINE} COMP_CWORD=$(( ${#COMP_WORDS[@]} - 1 ))
_finclaw_completion "$ASKED"
printf '%s\n' "${COMPREPLY[@]}"
"""
BREAKS = " \t\n\"'><=;|&(:"


def split(line: str) -> list[str]:
    """The words of a line up to the cursor, as bash has them in COMP_WORDS."""
    words: list[str] = []
    kind = " "
    for char in line:
        now = " " if char == " " else ":" if char in ":=" else "a"
        if now not in {" ", kind}:
            words.append("")
        if now != " ":
            words[-1] += char
        kind = now
    return [*words, ""] if line.endswith(" ") else words


def asked(finclaw: Finclaw, line: str) -> list[str]:
    program = finclaw.cwd / "finclaw"
    program.write_text(f'#!/bin/sh\nexec {" ".join(COMMAND)} "$@"\n')
    program.chmod(0o755)
    words = " ".join("'" + word.replace("'", r"'\''") + "'" for word in split(line))
    script = (ROOT / "completions" / "finclaw.bash").read_text()
    done = subprocess.run(
        ["bash", "-c", f"COMP_WORDS=({words})\n{ASK}"],
        env={**finclaw.env(), "SCRIPT": script, "LINE": line, "ASKED": str(program), "COMP_WORDBREAKS": BREAKS},
        cwd=finclaw.cwd,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.splitlines()


def offered(finclaw: Finclaw, *words: str) -> list[str]:
    env = {
        "_FINCLAW_COMPLETE": "complete_bash",
        "COMP_WORDS": "\n".join(("finclaw", *words)),
        "COMP_CWORD": str(len(words)),
    }
    return finclaw.cold(env=env).text.splitlines()


@needs_bash
@pytest.mark.parametrize(
    ("line", "reply"),
    [
        ("finclaw run -m anthropic:claude-haiku-5", ["claude-haiku-5-5"]),
        ("finclaw run -m anthropic:", None),
        ("finclaw run --model=anthropic:claude-haiku-5", ["claude-haiku-5-5"]),
        ("finclaw tools call price sym", ["no space", "symbol="]),
        ("finclaw run -o nd", ["ndjson"]),
        ("finclaw run --output=nd", ["ndjson"]),
        ("finclaw tools sh", ["show"]),
    ],
)
def test_bash_gets_what_follows_the_last_place_where_it_splits(
    finclaw: Finclaw, line: str, reply: list[str] | None
) -> None:
    found = asked(finclaw, line)
    if reply is None:
        assert "claude-opus-5-5" in found
        assert not any(":" in word for word in found)
    else:
        assert found == reply


@pytest.mark.parametrize(
    ("option", "values"),
    [
        ("--output", ["text", "ndjson", "json"]),
        ("--approval", ["terminal", "stdio", "none"]),
        ("--verify-numbers", ["off", "warn", "fail"]),
    ],
)
def test_an_option_with_choices_offers_them(finclaw: Finclaw, option: str, values: list[str]) -> None:
    assert offered(finclaw, "run", option, "") == values


def test_sessions_are_offered_the_last_one_first(own: Finclaw) -> None:
    model = own.script({"text": "ok"})
    for name in ("first", "second"):
        own("run", "--session", name, "-m", model, "x")
    os.utime(own.home / "sessions" / "first.jsonl", (1, 1))
    assert offered(own, "sessions", "show", "") == ["second", "first"]
    assert offered(own, "replay", "f") == ["first"]
    assert offered(own, "run", "--session", "s") == ["second"]


def test_plugins_are_offered(finclaw: Finclaw) -> None:
    assert offered(finclaw, "plugins", "trust", "finclaw-k") == ["finclaw-kit"]


def test_skills_are_offered(own: Finclaw, tmp_path: Path) -> None:
    folder = own.home / "skills" / "tidy-up"
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text("---\nname: tidy-up\ndescription: Tidy up.\n---\nTidy.\n")
    assert offered(own, "skills", "show", "t") == ["tidy-up"]


def test_the_keys_of_a_tools_input_are_offered(finclaw: Finclaw) -> None:
    assert offered(finclaw, "tools", "call", "pay", "") == ["to=", "amount="]


def test_broken_settings_offer_nothing_and_say_nothing(own: Finclaw) -> None:
    (own.home / "config.toml").write_text("nonsense = [")
    ran = own.cold(
        env={"_FINCLAW_COMPLETE": "complete_bash", "COMP_WORDS": "finclaw\ntools\nshow\np", "COMP_CWORD": "3"}
    )
    assert (ran.text.strip(), ran.stderr) == ("", "")
