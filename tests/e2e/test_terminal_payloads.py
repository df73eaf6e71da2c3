"""Forty and more payloads in every field that reaches a terminal come out harmless, on a real pty."""

from __future__ import annotations

import json

import pytest

from tests.e2e.asking import on_controlling_terminal
from tests.e2e.harness import Finclaw
from tests.e2e.payloads import EVIL, PAYLOADS, harm
from tests.e2e.trusted import Trusted, module_source

ENV = {"FINCLAW_PLUGINS": "finclaw-evil", "COLUMNS": "4000"}


@pytest.fixture
def evil(own: Finclaw, trusted: Trusted) -> Finclaw:
    return trusted(own, "finclaw-evil", module_source("e2e/evil_plugin").replace('EVIL = ""', f"EVIL = {EVIL!r}"))


def seen_on_terminal(evil: Finclaw, *arguments: str, **more: str) -> bytes:
    with on_controlling_terminal(evil, *arguments, to_terminal=True, **{**ENV, **more}) as it:
        it.end()
        return bytes(it.seen)


def test_there_are_forty_of_them():
    assert len(PAYLOADS) >= 40
    assert harm(EVIL.encode())


@pytest.mark.parametrize(
    ("display", "verbose"),
    [({}, ()), ({"FINCLAW_PLAIN": "1"}, ("--verbose",)), ({"TERM": "dumb"}, ("--verbose",))],
    ids=["rich", "plain", "dumb"],
)
def test_in_a_run(evil: Finclaw, display: dict[str, str], verbose: tuple[str, ...]):
    """In what the model says, in names and inputs of tools, in results, errors, progress and plugin failures."""
    calls = [{"name": name, "input": {"text": EVIL}} for name in ("evil_say", "evil_fail", "evil_crash", f"evil{EVIL}")]
    model = evil.script({"text": EVIL, "delta_chars": 3, "tool_calls": calls}, {"text": f"# {EVIL}\n\n`{EVIL}`\n"})
    seen = seen_on_terminal(evil, "run", *verbose, "-m", model, EVIL.replace("\x00", ""), **display)
    assert b"clear screen" in seen
    assert harm(seen) == []


@pytest.mark.parametrize("display", [{}, {"FINCLAW_PLAIN": "1"}], ids=["bold", "plain"])
def test_in_a_question(evil: Finclaw, display: dict[str, str]):
    """In the arguments, their names, and the preview."""
    call = {"name": "evil_pay", "input": {"text": EVIL, EVIL: 1}}
    model = evil.script({"tool_calls": [call]}, {"text": "ok"})
    with on_controlling_terminal(evil, "run", "-m", model, "x", to_terminal=True, **{**ENV, **display}) as it:
        shown = it.until(b"Run evil_pay?")
        it.type(b"n")
        it.end()
    assert shown.count(b"clear screen") >= 3
    assert harm(bytes(it.seen)) == []


def test_in_file_names_and_error_messages(evil: Finclaw):
    name = EVIL.replace("\x00", "").replace("/", "")[:80]
    for arguments in (("--file", name), ("--policy", name), ("-m", name), ("--schema", name), ("--approve", name)):
        seen = seen_on_terminal(evil, "run", *arguments, "x")
        assert seen
        assert harm(seen) == [], arguments


@pytest.mark.parametrize(
    "arguments",
    [
        ("tools", "list"),
        ("tools", "show", "evil_say"),
        ("tools", "call", "evil_say"),
        ("tools", "call", "evil_fail"),
        ("tools", "call", "evil_crash"),
        ("tools", "call", "evil_loud"),
        ("plugins", "list"),
        ("policy", "explain", "evil_say"),
        ("doctor",),
        ("skills", "list"),
        ("skills", "show", "evil"),
        ("config", "show"),
    ],
    ids=" ".join,
)
def test_in_lists_and_views(evil: Finclaw, arguments: tuple[str, ...]):
    """In descriptions, schemas, rules' reasons, settings and skills."""
    text = json.dumps(EVIL)[1:-1].replace("\\u0000", "").replace("\\u007f", "").replace("/", "")
    skill = evil.cwd / ".finclaw" / "skills" / "evil"
    skill.mkdir(parents=True)
    (skill / "SKILL.md").write_text(f'---\nname: evil\ndescription: "{text[:900]}"\n---\n{EVIL}\n', encoding="utf-8")
    (evil.home / "policy.toml").write_text(
        f'[[rule]]\nscope = "tool"\nverdict = "require-approval"\npattern = "evil_say"\nreason = "{text[:300]}"\n'.replace(
            "\\ud", "d"
        )
    )
    seen = seen_on_terminal(evil, *arguments, "--approve", "evil_say") if arguments[1:2] == ("call",) else None
    seen = seen if seen is not None else seen_on_terminal(evil, *arguments)
    assert seen.strip()
    assert (b"clear screen" in seen) is (arguments[0] not in {"plugins", "doctor", "config"})
    assert harm(seen) == []


def test_in_what_a_tool_logs_and_prints(evil: Finclaw):
    model = evil.script({"tool_calls": [{"name": "evil_loud", "input": {}}]}, {"text": "Fine."})
    seen = seen_on_terminal(evil, "run", "--plain", "-m", model, "x")
    assert seen.count(b"clear screen") >= 9
    assert harm(seen) == []


def test_in_what_a_thread_of_a_tool_writes_while_the_process_ends(evil: Finclaw):
    model = evil.script({"tool_calls": [{"name": "evil_last", "input": {}}]}, {"text": "Fine."})
    seen = seen_on_terminal(evil, "run", "--plain", "-m", model, "x")
    assert b"clear screen" in seen
    assert harm(seen) == []


@pytest.mark.parametrize("arguments", [("run",), ("tools", "list"), ("cost", "rebuild"), ()], ids=" ".join)
@pytest.mark.parametrize("name", ["clipboard", "clear screen", "right to left", "zero width", "tags"])
def test_in_errors_of_usage(evil: Finclaw, arguments: tuple[str, ...], name: str):
    seen = seen_on_terminal(evil, *arguments, f"--a{PAYLOADS[name]}b")
    assert b"Error" in seen
    assert harm(seen) == []
