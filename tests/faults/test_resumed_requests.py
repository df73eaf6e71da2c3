"""Whatever was cut off and goes on, the servers see requests that they take, with what was said unchanged."""

from __future__ import annotations

import itertools
import os
import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.e2e import dialects
from tests.e2e.dialects import Call
from tests.faults.points import Fault, faults
from tests.faults.trials import SDKS, Bench, Ended
from tests.wire.anthropic_rules import lint_request
from tests.wire.openai_responses_wire import added, call_of, created, done, function, over, reasoning, stream
from tests.wire.openai_rules import lint_chat, lint_responses
from tests.wire.server import Reply, VectorServer, threaded
from tests.wire.test_anthropic_requests import bare

LONG = os.environ.get("FINCLAW_FAULTS") == "long"
RARELY = 20
PARTS = 16 if LONG else 1  # so that several processes share the work, and none takes too long
NEEDS_HUMAN = 8
COMMON = ("run", "-o", "ndjson", "--session", "talk", "--approve", "pay", "--approve", "order")
# What the model does with a question, by the number of calls it has made for it.
PLAYS: dict[str, dict[int, tuple[tuple[str, dict[str, Any]], ...]]] = {
    "Go.": {0: (("look", {}), ("pay", {"amount": 5})), 2: (("order", {"symbol": "ACME"}),)},
    "And?": {0: (("look", {}),)},
}
PAY = "call_1_1"
FOUND = {"call_1_2": {"ordered ACME", "ordered"}}  # by the run itself, and by asking about it afterwards
ANSWERS = {"Go.": "It is done.", "And?": "That is all. 끝"}
Body = dict[str, Any]


class Thinking(dialects.Anthropic):
    """Thinks before it acts, and signs it."""

    lint = staticmethod(lint_request)
    words, answered, answer = "text", "tool_use_id", "content"

    def thought_and_calls(self, *calls: Call) -> Reply:
        deltas = [{"type": "thinking_delta", "thinking": "Hm."}, {"type": "signature_delta", "signature": "c2lnbmVk"}]
        begin = {"type": "thinking", "thinking": "", "signature": ""}
        thought = [
            {"type": "content_block_start", "index": 0, "content_block": begin},
            *({"type": "content_block_delta", "index": 0, "delta": delta} for delta in deltas),
            {"type": "content_block_stop", "index": 0},
        ]
        acts = [event for number, call in enumerate(calls, 2) for event in self._call(number, call)]
        return self._turn(*thought, *self._text(1, "So: "), *acts, stop="tool_use")

    def parts(self, body: Body) -> Iterator[tuple[str, Body]]:
        """Who said what, and the results of calls, in order."""
        for message in bare(body)["messages"]:
            for block in message["content"]:
                yield "result" if block["type"] == "tool_result" else message["role"], block

    def calls_of(self, block: Body) -> int:
        return block["type"] == "tool_use"


class Reasoned(dialects.Chat):
    """A compatible server that wants its reasoning back."""

    lint = staticmethod(lint_chat)
    words, answered, answer = "content", "tool_call_id", "content"

    def thought_and_calls(self, *calls: Call) -> Reply:
        reply, thought = self.calls(*calls), self._turn(self._chunk({"role": "assistant", "reasoning_content": "Hm."}))
        return Reply(body=thought.body.split(b"\n\n")[0] + b"\n\n" + reply.body)

    def parts(self, body: Body) -> Iterator[tuple[str, Body]]:
        for message in body["messages"]:
            for words in message["content"].split("\n\n") if message["role"] == "user" else [message["content"]]:
                yield {"tool": "result"}.get(message["role"], message["role"]), {**message, "content": words}

    def calls_of(self, block: Body) -> int:
        return len(block.get("tool_calls", []))


class Encrypted(dialects.Responses):
    """Reasons where nobody can read it."""

    lint = staticmethod(lint_responses)
    words, answered, answer = "content", "call_id", "output"

    def thought_and_calls(self, *calls: Call) -> Reply:
        thought = reasoning()
        acts = [
            call_of(call_id, name, *dialects.pieces(given), index=number)
            for number, (call_id, name, given) in enumerate(calls, 1)
        ]
        items = [function(call_id, name, "".join(dialects.pieces(given))) for call_id, name, given in calls]
        return Reply(body=stream(created(), added(thought), done(thought), *acts, over(output=[thought, *items])))

    def parts(self, body: Body) -> Iterator[tuple[str, Body]]:
        for item in body["input"]:
            is_result = item.get("type") == "function_call_output"
            yield "result" if is_result else item.get("role", "assistant"), item

    def calls_of(self, block: Body) -> int:
        return block.get("type") == "function_call"


Wire = Thinking | Reasoned | Encrypted
WIRES: list[Wire] = [Thinking(), Reasoned(), Encrypted()]
each_wire = pytest.mark.parametrize("wire", WIRES, ids=["anthropic", "chat", "responses"])


def said(wire: Wire, body: Body) -> list[list[Body]]:
    """The model's turns, as they are sent back to it."""
    groups = itertools.groupby(wire.parts(body), key=lambda part: part[0])
    return [[block for _, block in group] for who, group in groups if who == "assistant"]


def answers(wire: Wire, body: Body) -> dict[str, str]:
    return {block[wire.answered]: block[wire.answer] for who, block in wire.parts(body) if who == "result"}


def played(wire: Wire, body: Body, *, fresh_ids: bool) -> Reply:
    """What the model says next: it goes by what the request says, and remembers nothing."""
    questions, calls = list[str](), 0
    for who, block in wire.parts(body):
        if who == "user":
            questions, calls = [*questions, block[wire.words]], 0
        elif who == "assistant":
            calls += wire.calls_of(block)
    acts = PLAYS[questions[-1]].get(calls)
    if acts is None:
        return wire.text(ANSWERS[questions[-1]])
    prefix = f"call_{len(questions) if fresh_ids else 0}"
    return wire.thought_and_calls(*((f"{prefix}_{calls + n}", name, given) for n, (name, given) in enumerate(acts)))


@dataclass(frozen=True)
class Talk:
    """A session with one server."""

    bench: Bench
    wire: Wire
    server: VectorServer
    seen: int = 0

    def ask(self, *arguments: str, fault: Fault | None = None) -> Ended:
        base = self.server.url if isinstance(self.wire, Thinking) else f"{self.server.url}/v1"
        where = ("-m", self.wire.model, "--base-url", base)
        return self.bench.run(*COMMON, *where, *arguments, fault=fault, env={self.wire.key: "sk-test"})

    def go_on(self) -> Ended:
        """With its question, or, where not even that was kept, from the beginning."""
        return self.ask("--resume" if self.bench.recorded("message") else "Go.")

    def bodies(self) -> list[Body]:
        return [request.body for request in self.server.requests[self.seen :]]

    def kept_turns(self) -> int:
        return sum(message["role"] == "assistant" for message in self.bench.recorded("message"))


@contextmanager
def playing(bench: Bench, wire: Wire, *, fresh_ids: bool = True) -> Iterator[Talk]:
    with threaded() as server:
        server._reply_for = lambda index: played(wire, server.requests[index].body, fresh_ids=fresh_ids)  # type: ignore[method-assign]
        yield Talk(bench, wire, server)


def again(talk: Talk, folder: Path) -> Talk:
    """The same server, and a home in which nothing has happened."""
    return Talk(talk.bench.fresh(folder), talk.wire, talk.server, len(talk.server.requests))


@pytest.fixture(scope="session")
def trusting(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    return Bench.trusting(tmp_path_factory.mktemp("trusting"), SDKS)


@dataclass(frozen=True)
class Whole:
    """What is said where nothing is cut off."""

    turns: list[list[Body]]
    answers: dict[str, str]
    faults: list[Fault]


def whole(talk: Talk) -> Whole:
    assert talk.ask("Go.").code == 0
    everywhere = faults(talk.bench.boundaries())
    assert talk.ask("And?").code == 0
    last = talk.bodies()[-1]
    assert len(said(talk.wire, last)) == 4
    return Whole(said(talk.wire, last), answers(talk.wire, last), everywhere)


def chosen(everywhere: list[Fault], part: int, seed: str) -> list[Fault]:
    """All of them, or one at every few boundaries, others for each wire."""
    chance = random.Random(seed)
    places = sorted({fault.at for fault in everywhere})[chance.randrange(RARELY) :: RARELY]
    few = [chance.choice([fault for fault in everywhere if fault.at == at]) for at in places]
    return (everywhere if LONG else few)[part::PARTS]


def check_requests(talk: Talk, trial: object) -> None:
    assert [talk.wire.lint(body) for body in talk.bodies()] == [[]] * len(talk.bodies()), trial


def check_effects(talk: Talk, trial: object) -> None:
    assert len(talk.bench.marks("paid")) <= 1, trial
    assert len(talk.bench.marks("ordered")) <= 1, trial


def is_answered(ended: Ended) -> bool:
    if ended.code == NEEDS_HUMAN:
        return ended.lines[-1]["unknown"] == ["pay"]
    return ended.code == 0 or b"nothing_to_resume" in ended.stdout


@each_wire
@pytest.mark.parametrize("part", range(PARTS))
def test_a_question_that_is_taken_up_is_asked_as_if_nothing_had_happened(
    trusting: Bench, tmp_path: Path, wire: Wire, part: int
):
    with playing(trusting.fresh(tmp_path / "whole"), wire) as first:
        uncut = whole(first)
        for number, fault in enumerate(chosen(uncut.faults, part, wire.model)):
            talk = again(first, tmp_path / str(number))
            ended = talk.ask("Go.", fault=fault)
            kept, before = talk.kept_turns(), len(talk.bodies())
            if not is_answered(ended):
                ended = talk.go_on()
            assert is_answered(ended), (fault, ended)
            resumed = talk.bodies()[before:]
            assert [len(said(wire, body)) for body in resumed] == list(range(kept, kept + len(resumed))), fault
            assert talk.ask("And?").code == 0, fault
            check_requests(talk, fault)
            check_effects(talk, fault)
            assert len(talk.bench.marks("ordered")) == 1, fault
            assert said(wire, talk.bodies()[-1]) == uncut.turns, fault
            given = answers(wire, talk.bodies()[-1])
            unlike = {call for call in uncut.answers if given[call] not in FOUND.get(call, {uncut.answers[call]})}
            assert unlike == ({PAY} if ended.code == NEEDS_HUMAN else set()), fault


@each_wire
@pytest.mark.parametrize("part", range(PARTS))
def test_after_a_run_that_was_cut_off_a_new_question_can_be_asked(
    trusting: Bench, tmp_path: Path, wire: Wire, part: int
):
    with playing(trusting.fresh(tmp_path / "whole"), wire) as first:
        uncut = whole(first)
        for number, fault in enumerate(chosen(uncut.faults, part, f"new {wire.model}")):
            talk = again(first, tmp_path / str(number))
            talk.ask("Go.", fault=fault)
            kept, before = talk.kept_turns(), len(talk.bodies())
            ended = talk.ask("And?")
            assert ended.code in {0, NEEDS_HUMAN}, (fault, ended)
            assert ended.lines[-1]["text"] == ANSWERS["And?"], fault
            check_requests(talk, fault)
            check_effects(talk, fault)
            asked, looked = (said(wire, body) for body in talk.bodies()[before:])
            assert asked == uncut.turns[:kept], fault
            assert looked[:-1] == asked, fault


@pytest.mark.parametrize("fresh_ids", [True, False], ids=["new ids", "the same ids"])
def test_a_session_goes_from_one_dialect_to_another_and_back(trusting: Bench, tmp_path: Path, fresh_ids: bool):
    bench = trusting.fresh(tmp_path / "home")
    for wire in (*WIRES, *WIRES, WIRES[0], WIRES[0]):
        with playing(bench, wire, fresh_ids=fresh_ids) as talk:
            ended = talk.ask("Go.")
            assert (ended.code, ended.lines[-1]["text"]) == (0, "It is done.")
            check_requests(talk, wire.model)
    assert len(bench.marks("paid")) == len(bench.marks("ordered")) == 8


@pytest.mark.parametrize(("begins", "goes_on"), [*itertools.permutations(WIRES, 2)], ids=lambda wire: wire.model)
def test_a_run_that_was_cut_off_is_taken_up_by_a_model_of_another_dialect(
    trusting: Bench, tmp_path: Path, begins: Wire, goes_on: Wire
):
    with playing(trusting.fresh(tmp_path / "whole"), begins) as first, playing(first.bench, goes_on) as other:
        everywhere = whole(first).faults
        chance = random.Random(f"{begins.model} {goes_on.model}")
        for number, fault in enumerate(everywhere[::9] if LONG else chance.sample(everywhere, 1)):
            talk = again(first, tmp_path / str(number))
            after = Talk(talk.bench, goes_on, other.server, len(other.server.requests))
            ended = talk.ask("Go.", fault=fault)
            if not is_answered(ended):
                ended = after.go_on()
            assert is_answered(ended), (fault, ended)
            assert after.ask("And?").code == 0, fault
            check_requests(talk, fault)
            check_requests(after, fault)
            check_effects(talk, fault)
