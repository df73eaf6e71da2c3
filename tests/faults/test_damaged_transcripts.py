"""Whatever happens to a real transcript, it opens to a conversation that goes on, and nothing is invented."""

from __future__ import annotations

import io
import os
import random
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import pytest

from finclaw_cli.core.messages import Message
from finclaw_cli.core.ports import ModelRequest
from finclaw_cli.providers.anthropic.encode import encode
from finclaw_cli.providers.openai.chat_encode import encode_chat
from finclaw_cli.providers.openai.profiles import ChatProfile, ResponsesProfile
from finclaw_cli.providers.openai.responses_encode import encode_responses
from finclaw_cli.transcript.history import History, open_history
from finclaw_cli.transcript.lines import Line
from finclaw_cli.transcript.reader import Found, read, read_file
from finclaw_cli.transcript.recording import RunRecording, runs_of
from finclaw_cli.transcript.replay import events_of
from tests.faults.damage import damaged
from tests.faults.points import Fault
from tests.faults.test_resumed_requests import WIRES, Wire, playing
from tests.faults.trials import SDKS, Bench
from tests.unit.test_repair_conversation import problems
from tests.wire.anthropic_rules import lint_request
from tests.wire.openai_rules import lint_chat, lint_responses

LONG = os.environ.get("FINCLAW_FAULTS") == "long"
MUTATIONS = int(os.environ.get("FINCLAW_MUTATIONS", "100"))
SHOWN = min(MUTATIONS // 50, 200)
RARELY = 1 if LONG else 613
PARTS = max(16 if LONG else 2, MUTATIONS // 1_000)  # so that several processes share the work, and none takes too long
ANTHROPIC, CHAT, RESPONSES = WIRES
UNWANTED = ("Traceback", "unexpected", "bug in finclaw", "Error:")
CODES = {0, 2, 10}
VERIFY, REPAIR = ("replay", "--verify", "talk"), ("sessions", "repair", "talk")
LOOKING_ON = (
    ("sessions", "list"),
    ("sessions", "show", "talk"),
    ("sessions", "export", "talk", "--format", "html"),
    ("replay", "talk"),
)


@dataclass(frozen=True)
class Recorded:
    """Two sessions as the command wrote them."""

    bench: Bench
    content: bytes
    other: bytes

    @cached_property
    def written(self) -> set[bytes]:
        return {*self.content.splitlines(keepends=True), *self.other.splitlines(keepends=True)}


@pytest.fixture(scope="session")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Recorded:
    folder = tmp_path_factory.mktemp("recorded")
    bench = Bench.trusting(folder, SDKS)
    talk(bench, ANTHROPIC)
    talk(bench, CHAT, approved=False)
    talk(bench, RESPONSES, fault=Fault(33, "killed after"))
    talk(bench, RESPONSES, question="--resume")
    talk(bench, ANTHROPIC, question="And?")
    talk(bench, CHAT, fault=Fault(34, "torn"))
    other = bench.fresh(folder / "other")
    talk(other, ANTHROPIC)
    content, foreign = ((each.home / "sessions" / "talk.jsonl").read_bytes() for each in (bench, other))
    for said in (
        "c2lnbmVk",
        "reasoning_content",
        "encrypted_content",
        "agent.approval",
        '"decision":"deny"',
        "\\ub05d",
    ):
        assert said.encode() in content, said
    return Recorded(bench.fresh(folder / "fresh"), content, foreign)


def talk(bench: Bench, wire: Wire, *, question: str = "Go.", approved: bool = True, fault: Fault | None = None) -> None:
    with playing(bench, wire) as speaking:
        base = speaking.server.url + ("" if wire is ANTHROPIC else "/v1")
        approvals = ("--approve", "pay", "--approve", "order") if approved else ()
        arguments = ("run", "-o", "ndjson", "--session", "talk", "-m", wire.model, "--base-url", base, *approvals)
        ended = bench.run(*arguments, question, fault=fault, env={wire.key: "sk-test"})
        assert ended.code in ({-9} if fault else {0, 8}), ended


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """In memory where that can be: what is tested is no disk."""
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else tmp_path) as name:
        yield Path(name)


def lines_of(found: Iterable[Found]) -> list[Line]:
    return [item for item in found if isinstance(item, Line)]


def unnumbered(lines: list[Line]) -> list[bytes]:
    """All that they say but their places, which mending changes, and their checksums."""
    return [line.raw[line.raw.index(b'"s":') : -len('"crc":"00000000"}')] for line in lines]


def check_reading(content: bytes, recorded: Recorded, trial: object) -> list[Line]:
    """What is read was written, by one session, in this order; returns it."""
    lines = lines_of(read(io.BytesIO(content)))
    assert all(line.raw in recorded.written for line in lines), trial
    assert len({line.tag for line in lines}) <= 1, trial
    assert [line.seq for line in lines] == sorted({line.seq for line in lines}), trial
    return lines


REQUESTS: list[tuple[Callable[[ModelRequest], Any], Callable[[Any], list[str]], str]] = [
    (encode, lint_request, ANTHROPIC.model),
    (lambda request: encode_chat(request, ChatProfile()), lint_chat, CHAT.model),
    (lambda request: encode_responses(request, ResponsesProfile()), lint_responses, RESPONSES.model),
]


def check_requests(messages: tuple[Message, ...], trial: object) -> None:
    """Each provider takes them, with a new question."""
    assert problems(messages) == [], trial
    for encoded, lint, model in REQUESTS:
        request = ModelRequest(model=model.partition(":")[2], messages=(*messages, Message("user", "Well?")))
        assert lint(encoded(request)) == [], trial


def check_runs(found: list[Found]) -> None:
    """Whoever makes the runs again asks all this of them."""
    for run in runs_of(found):
        if isinstance(run, RunRecording):
            _ = run.start, run.result, run.about, run.opening, run.questions, run.replies, run.completions
            _ = run.setbacks, run.pieces, run.executions, run.calls, run.ends, run.approvals


def check(content: bytes, recorded: Recorded, folder: Path, trial: object) -> None:
    lines = check_reading(content, recorded, trial)
    path = folder / "talk.jsonl"
    path.write_bytes(content)
    found = list(read(io.BytesIO(content)))
    list(events_of(found))
    check_runs(found)
    history = open_history(path)
    check_requests((*history.messages, *history.closing(10_000)), trial)
    mended = path.read_bytes()
    again = open_history(path)
    assert (again.damage, again.messages, again.due) == ((), history.messages, history.due), trial
    assert path.read_bytes() == mended, trial
    found = list(read_file(path))
    kept = [line for line in lines_of(found) if line.type != "damage"]  # which say where something was
    assert unnumbered(kept) == unnumbered(lines), trial
    check_runs(found)
    for kept in folder.glob("*.bak-*"):
        assert kept.read_bytes() == content, trial
        kept.unlink()


@cache
def come_to(whole: bytes, recorded: Recorded, folder: Path) -> History:
    """What a file of whole records has come to; looked at once for all places at which the next one is cut off."""
    if LONG or len(whole) % 5 == 0:
        check(whole, recorded, folder, len(whole))
    path = folder / "talk.jsonl"
    path.write_bytes(whole)
    return open_history(path)


def check_cut(content: bytes, recorded: Recorded, folder: Path) -> None:
    whole = content[: content.rfind(b"\n") + 1]
    expected = come_to(whole, recorded, folder)
    path = folder / "talk.jsonl"
    path.write_bytes(content)
    history = open_history(path)
    assert path.read_bytes() == whole, len(content)
    assert [damage.what for damage in history.damage] == ["torn"] * (content != whole), len(content)
    assert (history.messages, history.due, history.earlier) == (expected.messages, expected.due, expected.earlier)
    for kept in folder.glob("*.bak-*"):
        assert kept.read_bytes() == content
        kept.unlink()


@pytest.mark.parametrize("part", range(PARTS))
def test_a_transcript_that_is_cut_off_anywhere_goes_on(recorded: Recorded, folder: Path, part: int):
    content = recorded.content
    last = len(b"".join(content.splitlines(keepends=True)[:-3]))
    places = [*range(0, last, RARELY), *range(last, len(content), 1 if LONG else 3), len(content)]
    for cut in places[len(places) * part // PARTS : len(places) * (part + 1) // PARTS]:
        check_cut(content[:cut], recorded, folder)


@pytest.mark.parametrize("part", range(PARTS))
def test_a_transcript_to_which_anything_happened_goes_on(recorded: Recorded, folder: Path, part: int):
    for seed in range(part, MUTATIONS, PARTS):
        check(damaged(recorded.content, recorded.other, random.Random(seed)), recorded, folder, seed)


@pytest.mark.parametrize("part", range(PARTS))
def test_no_command_fails_over_a_damaged_transcript(recorded: Recorded, part: int):
    bench = recorded.bench.fresh(recorded.bench.home / str(part))
    sessions = bench.home / "sessions"
    for seed in range(part, SHOWN, PARTS):
        sessions.mkdir()
        (sessions / "talk.jsonl").write_bytes(damaged(recorded.content, recorded.other, random.Random(-1 - seed)))
        for arguments in [*LOOKING_ON, VERIFY, REPAIR, VERIFY]:
            ended = bench.run(*arguments)
            assert ended.code in CODES, (seed, arguments, ended)
            assert not [word for word in UNWANTED if word in ended.stderr], (seed, arguments, ended)
        for path in sessions.iterdir():
            path.unlink()
        sessions.rmdir()
