"""What can happen to a file that lies somewhere for years: bits, blocks and lines that change, vanish or come twice."""

from __future__ import annotations

import random
from collections.abc import Callable

Mutation = Callable[[bytes, bytes, random.Random], bytes]
BLOCK = 512
GARBAGE = (
    b"\xff\xfe\xc3(",
    b"\x00",
    b"{}\n",
    b'{"v":1,"seq":3}\n',
    b"\r",
    b"\n",
    b"<html>\n",
    b"\xf0\x9f\x91",
    b"null\n",
)


def damaged(content: bytes, other: bytes, chance: random.Random) -> bytes:
    """The content after one to four things have happened to it; `other` is that of another session."""
    for _ in range(chance.choice([1, 1, 2, 3, 4])):
        content = chance.choice(MUTATIONS)(content, other, chance) or content
    return content


def _flipped(content: bytes, other: bytes, chance: random.Random) -> bytes:
    changed = bytearray(content)
    for _ in range(chance.choice([1, 1, 2, 8, 64])):
        changed[chance.randrange(len(changed))] ^= 1 << chance.randrange(8)
    return bytes(changed)


def _without_bytes(content: bytes, other: bytes, chance: random.Random) -> bytes:
    place = chance.randrange(len(content))
    return content[:place] + content[place + chance.choice([1, 7, 100, 3_000]) :]


def _with_bytes_twice(content: bytes, other: bytes, chance: random.Random) -> bytes:
    place = chance.randrange(len(content))
    return content[:place] + content[max(0, place - chance.choice([1, 50, 3_000])) :]


def _cut_off(content: bytes, other: bytes, chance: random.Random) -> bytes:
    return content[: chance.randrange(1, len(content) + 1)]


def _beginning_lost(content: bytes, other: bytes, chance: random.Random) -> bytes:
    return content[chance.randrange(len(content)) :]


def _zeroed(content: bytes, other: bytes, chance: random.Random) -> bytes:
    place = chance.randrange(len(content)) // BLOCK * BLOCK
    zeros = bytes(min(BLOCK * chance.choice([1, 8]), len(content) - place))
    return content[:place] + zeros + content[place + len(zeros) :]


def _zeros_at_the_end(content: bytes, other: bytes, chance: random.Random) -> bytes:
    return content[: chance.randrange(1, len(content) + 1)] + bytes(BLOCK)


def _with_garbage(content: bytes, other: bytes, chance: random.Random) -> bytes:
    place = chance.randrange(len(content) + 1)
    return content[:place] + chance.choice([*GARBAGE, chance.randbytes(40)]) + content[place:]


def _as_on_windows(content: bytes, other: bytes, chance: random.Random) -> bytes:
    return content.replace(b"\n", b"\r\n", chance.choice([1, 3, -1]))


def _of_lines(change: Callable[[list[bytes], list[bytes], random.Random], None]) -> Mutation:
    def changed(content: bytes, other: bytes, chance: random.Random) -> bytes:
        lines = content.splitlines(keepends=True)
        change(lines, other.splitlines(keepends=True), chance)
        return b"".join(lines)

    return changed


def _dropped(lines: list[bytes], other: list[bytes], chance: random.Random) -> None:
    place = chance.randrange(len(lines))
    del lines[place : place + chance.choice([1, 1, 2, 5])]


def _dropped_here_and_there(lines: list[bytes], other: list[bytes], chance: random.Random) -> None:
    lines[:] = [line for line in lines if chance.random() < 0.9]


def _repeated(lines: list[bytes], other: list[bytes], chance: random.Random) -> None:
    place = chance.randrange(len(lines))
    again = lines[place : place + chance.choice([1, 3, 20])]
    where = chance.choice([place, chance.randrange(len(lines) + 1)])
    lines[where:where] = again


def _swapped(lines: list[bytes], other: list[bytes], chance: random.Random) -> None:
    one = chance.randrange(len(lines))
    two = chance.choice([max(0, one - 1), chance.randrange(len(lines))])
    lines[one], lines[two] = lines[two], lines[one]


def _shuffled(lines: list[bytes], other: list[bytes], chance: random.Random) -> None:
    begin = chance.randrange(len(lines))
    some = lines[begin : begin + 8]
    lines[begin : begin + 8] = chance.sample(some, len(some))


def _spliced(lines: list[bytes], other: list[bytes], chance: random.Random) -> None:
    place, end = chance.randrange(len(lines)), chance.choice(chance.choice([lines, other]))
    lines[place] = lines[place][: chance.randrange(len(lines[place]))] + end[chance.randrange(len(end)) :]


def _with_foreign_lines(lines: list[bytes], other: list[bytes], chance: random.Random) -> None:
    place, begin = chance.randrange(len(lines) + 1), chance.randrange(len(other))
    some = other[begin : begin + chance.choice([1, 5, 50])]
    lines[place : place + chance.choice([0, len(some)])] = some


MUTATIONS: list[Mutation] = [
    _flipped,
    _without_bytes,
    _with_bytes_twice,
    _cut_off,
    _beginning_lost,
    _zeroed,
    _zeros_at_the_end,
    _with_garbage,
    _as_on_windows,
    *map(_of_lines, [_dropped, _dropped_here_and_there, _repeated, _swapped, _shuffled, _spliced, _with_foreign_lines]),
]
