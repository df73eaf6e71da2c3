"""stdout as a pipe: each line at once for a reader that keeps up, many in one write for one that does not.

A pipe of packets gives its reader what was written in the very portions in which it was.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import pytest

from finclaw_cli.output.stream import MOST_BEHIND, OutputStream

PACKETS = 16
"""What a pipe takes before somebody reads."""


@dataclass(slots=True)
class Pipe:
    """A stream, and its reader, who has not read anything yet."""

    reader: int
    writer: int
    failures: list[OSError] = field(default_factory=list)
    stream: OutputStream = field(init=False)

    def __post_init__(self) -> None:
        self.stream = OutputStream(self.writer, self.failures.append)

    def read(self) -> bytes:
        return os.read(self.reader, 1 << 16)

    async def read_to(self, last: bytes) -> list[bytes]:
        """What comes, in its portions, up to one that ends with this."""
        portions = [await asyncio.to_thread(self.read)]
        while not portions[-1].endswith(last):
            portions.append(await asyncio.to_thread(self.read))
        return portions

    def fill(self) -> list[bytes]:
        lines = [b"full %d\n" % number for number in range(PACKETS)]
        assert all(self.stream.put(line) for line in lines)
        return lines


@pytest.fixture
def pipe() -> Iterator[Pipe]:
    reader, writer = os.pipe2(os.O_DIRECT)
    made = Pipe(reader, writer)
    yield made
    for end in (made.reader, made.writer):
        if end >= 0:
            os.close(end)


async def test_a_reader_that_keeps_up_gets_each_line_at_once(pipe: Pipe) -> None:
    for line in (b"one\n", b"two\n", b"three\n"):
        assert pipe.stream.put(line)
        assert pipe.read() == line


async def test_lines_for_which_there_is_room_are_not_put_together(pipe: Pipe) -> None:
    lines = pipe.fill()
    assert [pipe.read() for _ in lines] == lines


async def test_what_a_slow_reader_has_not_taken_comes_in_one_write(pipe: Pipe) -> None:
    before = pipe.fill()
    behind = [b"behind %d\n" % number for number in range(100)]
    assert all(pipe.stream.put(line) for line in behind)
    portions = await pipe.read_to(behind[-1])
    assert b"".join(portions) == b"".join([*before, *behind])
    assert len(portions) <= len(before) + 2  # what the thread saw when it began, and all that came while it waited


async def test_once_the_reader_has_caught_up_each_line_goes_at_once_again(pipe: Pipe) -> None:
    pipe.fill()
    pipe.stream.put(b"behind\n")
    await pipe.read_to(b"behind\n")
    await pipe.stream.drained()
    for line in (b"one\n", b"two\n"):
        pipe.stream.put(line)
        assert pipe.read() == line


async def test_a_writer_is_told_to_wait_once_a_pipe_full_waits(pipe: Pipe) -> None:
    sent = pipe.fill()
    line = b"x" * 1023 + b"\n"
    while pipe.stream.put(line):
        sent.append(line)
    assert sum(map(len, sent)) <= MOST_BEHIND + sum(map(len, sent[:PACKETS]))
    sent.append(line)
    drained = asyncio.ensure_future(pipe.stream.drained())
    await asyncio.sleep(0)
    assert not drained.done()
    got = b""
    while len(got) < sum(map(len, sent)):
        got += await asyncio.to_thread(pipe.read)
    await drained
    assert got == b"".join(sent)


async def test_a_line_that_is_waited_for_comes_behind_all_before_it(pipe: Pipe) -> None:
    before = pipe.fill()
    pipe.stream.put(b"behind\n")
    writing = asyncio.ensure_future(pipe.stream.write(b"last\n"))
    await asyncio.sleep(0)
    assert not writing.done()
    portions = await pipe.read_to(b"last\n")
    await writing
    assert b"".join(portions) == b"".join([*before, b"behind\n", b"last\n"])


async def test_a_writer_that_is_cancelled_loses_nothing(pipe: Pipe) -> None:
    before = pipe.fill()
    writing = asyncio.ensure_future(pipe.stream.write(b"cut off\n"))
    await asyncio.sleep(0)
    writing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await writing
    pipe.stream.put(b"next\n")
    portions = await pipe.read_to(b"next\n")
    await pipe.stream.drained()
    assert b"".join(portions) == b"".join([*before, b"cut off\n", b"next\n"])


async def test_a_slow_reader_that_leaves_is_told_of_once(pipe: Pipe) -> None:
    pipe.fill()
    for _ in range(10):
        pipe.stream.put(b"behind\n")
    os.close(pipe.reader)
    pipe.reader = -1
    await pipe.stream.drained()
    await pipe.stream.write(b"nobody hears this\n")
    assert [type(error) for error in pipe.failures] == [BrokenPipeError]
    assert isinstance(pipe.stream.failure, BrokenPipeError)


async def test_whoever_writes_just_when_the_reader_has_caught_up_is_not_kept_waiting(pipe: Pipe) -> None:
    with ThreadPoolExecutor(1) as only_thread:
        loop = asyncio.get_running_loop()
        loop.set_default_executor(only_thread)
        before = pipe.fill()
        assert pipe.stream.put(b"behind\n")
        read = [pipe.read() for _ in (*before, b"behind\n")]  # without the loop, which hears of it only later
        only_thread.submit(len, "").result()  # the thread has ended its work, and told so
        await asyncio.create_task(pipe.stream.write(b"after\n"))
        assert [*read, pipe.read()] == [*before, b"behind\n", b"after\n"]
