"""What searching 10,000 sessions costs: `python -m tests.benchmarks.search [ROUNDS]`.

The first build, and the first search with it, are measured beside json.loads of each line of the same files: of sessions
that have little but messages, and of 1,000 as a run of the demo is recorded, with all its events. An update is measured
beside a call of stat for each file, which is the least that finding changed files takes; a search beside a start of
`finclaw sessions show --help`; in turn, by CPU time, commands in processes of their own. Half of the texts are English, the
words of the documents; half are Korean.
"""

from __future__ import annotations

import json
import os
import random
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from finclaw_cli.core.json_text import JsonObject
from finclaw_cli.search.index import opened, remove
from finclaw_cli.search.update import update
from finclaw_cli.transcript.lines import Line, decode, encode
from tests.benchmarks.measure import compare, cpu_seconds, run, scratch_home
from tests.benchmarks.sessions import timed

SESSIONS = 10_000
RECORDED = 1_000
ADDED = 10
AT = datetime(2026, 1, 2, tzinfo=UTC)
DOCUMENTS = Path(__file__).parents[2] / "docs"
SYLLABLES = "가나다라마바사아자차주식환율금리투자수익배당채권시장전망분석거래증권은행예금보험연금세금물가성장"
PARTICLES = ("", "은", "는", "이", "가", "을", "를", "에서", "으로", "과", "의", "까지")
QUERIES = ("환율", "acme", "the", "zzzz")
FINCLAW = (sys.executable, "-m", "finclaw_cli")
Words = Callable[[int], str]


def english(chance: random.Random) -> Words:
    words = [word for page in sorted(DOCUMENTS.rglob("*.md")) for word in page.read_text(encoding="utf-8").split()]

    def text(length: int) -> str:
        begin = chance.randrange(len(words) - length)
        return " ".join(words[begin : begin + length])

    return text


def korean(chance: random.Random) -> Words:
    stems = ["".join(chance.choices(SYLLABLES, k=chance.choice((2, 2, 2, 3, 4)))) for _ in range(3_000)]
    weights = [1 / place for place in range(1, len(stems) + 1)]

    def text(length: int) -> str:
        chosen = chance.choices(stems, weights, k=length)
        return " ".join(stem + chance.choice(PARTICLES) + "." * (not place % 12) for place, stem in enumerate(chosen))

    return text


def messages(chance: random.Random, words: Words) -> Iterator[JsonObject]:
    """A question, and turns of a call, its result and an answer: about 4.5 kB a session with what is around them."""
    symbol = f"T{chance.randrange(500)}"
    close = [{"date": f"2026-0{day % 9 + 1}-1{day % 7}", "close": f"{chance.uniform(20, 200):.2f}"} for day in range(6)]
    yield {"role": "user", "content": words(20)}
    call = {"type": "tool_use", "id": "call_1", "name": "get_quote", "input": json.dumps({"symbol": symbol})}
    yield {"role": "assistant", "content": [{"type": "text", "text": words(10)}, call]}
    result = {"type": "tool_result", "tool_use_id": "call_1", "content": json.dumps({"symbol": symbol, "data": close})}
    yield {"role": "tool", "content": [result]}
    yield {"role": "assistant", "content": [{"type": "text", "text": words(70)}]}
    yield {"role": "user", "content": words(15)}
    yield {"role": "assistant", "content": [{"type": "text", "text": words(40)}]}


def records(chance: random.Random, words: Words) -> Iterator[tuple[str, JsonObject]]:
    yield "session", {"format": 1, "session_id": "a", "agent_id": "default"}
    yield (
        "agent.start",
        {"models": ["demo:demo"], "tools": [{"name": f"tool_{n}", "group": "finance"} for n in range(8)]},
    )
    for turn, message in enumerate(messages(chance, words)):
        yield "message", message
        if message["role"] != "assistant":
            yield "agent.turn_start", {"turn": turn + 1, "model": "demo:demo"}
    yield "agent.result", {"status": "completed", "exit_code": 0, "cost_usd": "0.0123"}


def write_sessions(folder: Path, numbers: Sequence[int]) -> None:
    chance = random.Random(numbers[0])
    texts = english(chance), korean(chance)
    for number in numbers:
        at = AT + timedelta(minutes=20 * (number * 7919 % SESSIONS))  # names are in another order than times
        lines = [
            encode(
                seq=seq, tag="0" * 8, at=at + timedelta(seconds=seq), kind=kind, run_id="run_1", data=json.dumps(data)
            )
            for seq, (kind, data) in enumerate(records(chance, texts[number % 2]))
        ]
        (folder / f"s{number:05}.jsonl").write_bytes(b"".join(lines))


def demo_run(home: Path) -> list[Line]:
    """The records of one run of the demo."""
    command = [*FINCLAW, "run", "--model", "demo", "--session", "demo", "How did ACME do this year?"]
    run(command, scratch_home(home))
    return [decode(line) for line in (home / "sessions" / "demo.jsonl").read_bytes().splitlines(keepends=True)]


def with_words(kind: str, data: JsonObject, words: Words) -> JsonObject:
    """The data of a record, other words in place of those of a question and its answers."""
    content = data.get("content")
    if kind == "agent.delta":
        return {**data, "text": words(8)[: len(str(data["text"]))]}
    if kind != "message" or data["role"] == "tool":
        return data
    if not isinstance(content, list):
        return {**data, "content": words(20)}
    blocks = [
        {**block, "text": words(len(block["text"].split()))} if block["type"] == "text" else block for block in content
    ]
    return {**data, "content": blocks}


def write_recorded(folder: Path, lines: Sequence[Line]) -> None:
    chance = random.Random(7)
    texts = english(chance), korean(chance)
    for number in range(RECORDED):
        words, at = texts[number % 2], AT + timedelta(minutes=20 * number)
        (folder / f"r{number:05}.jsonl").write_bytes(
            b"".join(
                encode(
                    seq=line.seq, tag=line.tag, at=at + timedelta(seconds=line.seq), kind=line.type, run_id=line.run_id,
                    data=json.dumps(with_words(line.type, line.data, words)),
                )
                for line in lines
            )
        )  # fmt: skip


def read_all(folder: Path) -> None:
    for path in folder.iterdir():
        with path.open("rb") as file:
            for line in file:
                json.loads(line)


def build(index: Path, folder: Path) -> None:
    remove(index)
    bring_up_to_date(index, folder)


def bring_up_to_date(index: Path, folder: Path) -> None:
    with opened(index) as connection:
        update(connection, folder)


def stat_all(folder: Path) -> None:
    place = os.open(folder, os.O_RDONLY)
    for name in os.listdir(place):  # noqa: PTH208 - as the update does
        os.stat(name, dir_fd=place)
    os.close(place)


def first_search(index: Path, env: Mapping[str, str]) -> float:
    remove(index)
    return cpu_seconds([*FINCLAW, "sessions", "search", "zzzz"], env)


def after_new_sessions(index: Path, folder: Path) -> Callable[[], float]:
    numbers = iter(range(SESSIONS, 100 * SESSIONS, ADDED))

    def once() -> float:
        write_sessions(folder, range(begin := next(numbers), begin + ADDED))
        return timed(lambda: bring_up_to_date(index, folder))()

    return once


def compare_builds(folder: Path, index: Path, rounds: int) -> None:
    files = [path.stat().st_size for path in folder.iterdir()]
    print(f"{len(files):,} sessions, {sum(files) / 1e6:.1f} MB")
    compare(
        {
            "json.loads of each line": timed(lambda: read_all(folder)),
            "first build": timed(lambda: build(index, folder)),
            "first search, with the build": lambda: first_search(index, scratch_home(index.parent)),
        },
        rounds,
    )
    print(f"the index: {index.stat().st_size / 1e6:.1f} MB")


def compare_searches(home: Path, rounds: int) -> None:
    env = scratch_home(home)
    commands = {
        "finclaw sessions show --help": ["sessions", "show", "--help"],
        **{f"search {word}": ["sessions", "search", word] for word in QUERIES},
    }
    compare(
        {name: lambda command=command: cpu_seconds([*FINCLAW, *command], env) for name, command in commands.items()},
        rounds,
    )


def main(rounds: int) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        for name in ("demo", "recorded/sessions", "messages/sessions"):
            (Path(scratch) / name).mkdir(parents=True)
        home = Path(scratch) / "recorded"
        write_recorded(home / "sessions", demo_run(Path(scratch) / "demo"))
        compare_builds(home / "sessions", home / "search.sqlite", rounds)
        home = Path(scratch) / "messages"
        folder, index = home / "sessions", home / "search.sqlite"
        write_sessions(folder, range(SESSIONS))
        compare_builds(folder, index, rounds)
        compare_searches(home, rounds)
        compare(
            {
                "stat of each file": timed(lambda: stat_all(folder)),
                "an update, nothing new": timed(lambda: bring_up_to_date(index, folder)),
                "an update, 10 new sessions": after_new_sessions(index, folder),
            },
            rounds,
        )


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 5)
