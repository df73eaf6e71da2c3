"""Answers that a gateway compresses unasked: read in small pieces, and whole only where the compression ends."""

from __future__ import annotations

import asyncio
import gzip
import zlib
from collections.abc import AsyncIterator
from itertools import pairwise
from types import ModuleType
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finclaw_cli.core.errors import ProviderError
from finclaw_cli.core.ports import Provider
from finclaw_cli.http.codings import MAX_PIECE_BYTES, readable
from finclaw_cli.providers.openai.chat import create_chat
from tests.wire.openai_chat_wire import STOP, stream, words
from tests.wire.openai_turns import ask, read
from tests.wire.server import Reply, VectorServer
from tests.wire.transports import Configure, Way

GZIP = {"Content-Encoding": "gzip"}
ANSWER = stream(words("Hello"), STOP, done=False)
MIB = 2**20


def flushed(body: bytes) -> bytes:
    """Compressed so that all of it can be read before the end of the compression."""
    compressing = zlib.compressobj(wbits=zlib.MAX_WBITS | 16)
    return compressing.compress(body) + compressing.flush(zlib.Z_SYNC_FLUSH)


@pytest.fixture(params=get_args(Way))
def way(request: pytest.FixtureRequest) -> Way:
    return request.param  # type: ignore[no-any-return]


async def fault(reply: Reply, config: Configure) -> ProviderError:
    async with VectorServer(reply) as server:
        provider: Provider = create_chat(config(base_url=server.url))
        with pytest.raises(ProviderError) as caught:
            await ask(provider)
        await provider.aclose()
    return caught.value


async def test_an_answer_whose_compression_has_no_end_is_cut_although_it_gave_a_reason_to_stop(
    config: Configure,
) -> None:
    error = await fault(Reply(body=flushed(ANSWER), headers=GZIP), config)
    assert (error.reason, error.code) == ("connection", "stream_truncated")


@pytest.mark.parametrize(
    "body",
    [gzip.compress(ANSWER) + b"more", gzip.compress(ANSWER) + gzip.compress(stream(words("not"))), b"oops" * 9],
    ids=["bytes behind it", "a second one behind it", "no compression"],
)
async def test_what_is_not_one_compressed_body_is_malformed(body: bytes, config: Configure) -> None:
    error = await fault(Reply(body=body, headers=GZIP), config)
    assert (error.reason, error.code) == ("connection", "stream_malformed")


async def test_an_answer_that_is_inflated_byte_by_byte_is_the_same(config: Configure) -> None:
    async with VectorServer(Reply(body=gzip.compress(ANSWER), headers=GZIP, split="bytes")) as server:
        provider = create_chat(config(base_url=server.url))
        assert read(await ask(provider)).text == "Hello"
        await provider.aclose()


async def test_other_tasks_get_their_turn_between_two_small_pieces_of_a_bomb() -> None:
    bomb = gzip.compress(bytes(16 * MIB))
    turns = 0

    async def count_turns() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    async def one() -> AsyncIterator[bytes]:
        yield bomb

    counting = asyncio.ensure_future(count_turns())
    seen: list[tuple[int, int]] = []
    async with readable(one(), {"content-encoding": "gzip"}, "test") as pieces:
        async for piece in pieces:
            seen.append((len(piece), turns))  # noqa: PERF401 - read as it comes
    counting.cancel()
    assert sum(size for size, _ in seen) == 16 * MIB
    assert max(size for size, _ in seen) <= MAX_PIECE_BYTES
    assert all(earlier < later for (_, earlier), (_, later) in pairwise(seen))


@given(
    st.binary(max_size=5_000), st.lists(st.integers(0, 5_000), max_size=8).map(sorted), st.sampled_from([gzip, zlib])
)
def test_any_split_of_a_compressed_body_gives_the_same_bytes(body: bytes, cuts: list[int], coding: ModuleType) -> None:
    compressed = coding.compress(body)
    edges = [0, *(cut % (len(compressed) + 1) for cut in cuts), len(compressed)]

    async def split() -> AsyncIterator[bytes]:
        for start, end in pairwise(sorted(edges)):
            yield compressed[start:end]

    async def read_all() -> bytes:
        async with readable(split(), {"content-encoding": "deflate"}, "test") as pieces:
            return b"".join([piece async for piece in pieces])

    assert asyncio.run(read_all()) == body


async def test_a_bomb_ends_at_the_cap_of_a_turn(config: Configure) -> None:
    bomb = gzip.compress((b": " + b"x" * 1_000 + b"\n") * (80 * MIB // 1_003), compresslevel=1)
    assert (await fault(Reply(body=bomb, headers=GZIP), config)).code == "stream_oversized"
