"""No tool runs on a truncated stream: a turn with a payment in it, cut at every byte, in every way a stream can end."""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest

from finclaw_cli.core.errors import ProviderError
from finclaw_cli.providers.config import ProviderConfig, TransportName
from tests.faults.paying_runs import AT_ONCE, Played, Player
from tests.faults.paying_turns import DIALECTS, Dialect
from tests.wire.server import Reply, VectorServer
from tests.wire.transports import TRANSPORTS

LONG = os.environ.get("FINCLAW_FAULTS") == "long"
OFTEN, RARELY = int(os.environ.get("FINCLAW_CUT_STEP", "23")), 29


# How a stream ends early: politely, as a proxy's does whose own server is gone; without the last chunk; short of the
# length that was promised; by a reset.
WAYS = {
    "chunks that end": Reply(ending="clean", framing="chunked"),
    "an end of the connection": Reply(ending="clean", framing="close"),
    "no last chunk": Reply(ending="cut", framing="chunked"),
    **({"too few bytes": Reply(ending="cut", framing="length")} if LONG else {}),
    "a reset": Reply(ending="reset", framing="chunked"),
}
POLITE = ("chunks that end", "an end of the connection")
# Each way is taken more often in one dialect than in the others: at every seventh byte in CI, everywhere on demand. The
# transports take turns.
EVERYWHERE = {"anthropic": "chunks that end", "chat": "an end of the connection", "responses": "no last chunk"}


class CuttingServer(VectorServer):
    """Does to each request what the question in it asks for."""

    def __init__(self, dialect: Dialect) -> None:
        super().__init__()
        self._dialect = dialect
        self._asked: set[bytes] = set()

    def _reply_for(self, index: int) -> Reply:
        raw = self.requests[index].raw
        asked = re.search(rb"cut (always|once) at (\d+): ([a-z ]+)", raw)
        assert asked is not None
        if b"100 to Kim" in raw:
            return Reply(body=self._dialect.answer)
        how_often, at, way = asked.groups()
        if how_often == b"once" and asked[0] in self._asked:
            return Reply(body=self._dialect.turn)
        self._asked.add(asked[0])
        return replace(WAYS[way.decode()], body=self._dialect.turn, cut_at=int(at))


def code_of(question: str, played: Played) -> str:
    """The code of the typed failure, of a run that did nothing; "" where the run has its answer, after one payment."""
    result = played.result
    if (error := result.error) is None:
        assert (result.text, played.paid) == ("Paid.", ["100 to Kim"]), question
        return ""
    assert isinstance(error, ProviderError), question
    assert (error.reason, result.exit_code, result.text) == ("connection", 4, ""), question
    # Nothing ran, nobody was told of a call, and none is in the conversation.
    assert (played.paid, played.states, len(result.messages)) == ([], [], 1), question
    return error.code


async def codes_of(player: Player, way: str, cuts: Iterable[int], how_often: str = "always") -> set[str]:
    """The codes that runs end with whose turn is cut at these places."""
    questions = iter([f"Pay, cut {how_often} at {at}: {way}" for at in cuts])
    found: set[str] = set()

    async def one_after_another() -> None:
        for question in questions:
            found.add(code_of(question, await player.run(question)))

    async with asyncio.TaskGroup() as group:
        for _ in range(AT_ONCE):
            group.create_task(one_after_another())
    return found


def shared(cuts: range, transport: TransportName) -> range:
    """The cuts that are this transport's: all of them on demand, else its part."""
    return cuts if LONG else cuts[TRANSPORTS.index(transport) :: len(TRANSPORTS)]


@asynccontextmanager
async def playing(dialect: Dialect, transport: TransportName, attempts: int = 1) -> AsyncIterator[Player]:
    async with CuttingServer(dialect) as server:
        provider = dialect.create(ProviderConfig(api_key="sk-test", base_url=server.url, transport=transport))
        yield Player(provider, attempts)
        await provider.aclose()


each_dialect = pytest.mark.parametrize("name", DIALECTS)
each_transport = pytest.mark.parametrize("transport", TRANSPORTS)


@each_dialect
@each_transport
@pytest.mark.parametrize("way", WAYS)
async def test_no_cut_before_the_end_of_the_turn_runs_a_tool(name: str, way: str, transport: TransportName) -> None:
    dialect = DIALECTS[name]
    step = 1 if LONG else OFTEN if way == EVERYWHERE[name] else RARELY
    async with playing(dialect, transport) as player:
        codes = await codes_of(player, way, shared(range(0, dialect.whole, step), transport))
    assert codes == {"stream_truncated" if way in POLITE else "disconnected"}


@each_dialect
@each_transport
@pytest.mark.parametrize("way", WAYS)
async def test_no_cut_behind_a_proxy_runs_a_tool(
    name: str, way: str, transport: TransportName, monkeypatch: pytest.MonkeyPatch
) -> None:
    dialect = DIALECTS[name]
    async with CuttingServer(dialect) as server:
        monkeypatch.setenv("HTTP_PROXY", server.url)  # it is the proxy itself
        config = ProviderConfig(api_key="sk-test", base_url="http://api.example.test", transport=transport)
        provider = dialect.create(config)
        codes = await codes_of(Player(provider), way, shared(range(0, dialect.whole, 3 * RARELY), transport))
        await provider.aclose()
    assert codes == {"stream_truncated" if way in POLITE else "disconnected"}


@each_dialect
@each_transport
@pytest.mark.parametrize("way", WAYS)
async def test_behind_the_end_of_the_turn_the_tool_runs_once_or_the_run_fails(
    name: str, way: str, transport: TransportName
) -> None:
    dialect = DIALECTS[name]
    async with playing(dialect, transport) as player:
        codes = await codes_of(player, way, range(dialect.whole, len(dialect.turn) + 1, 1 if LONG else RARELY))
    # A connection may break before the end of the turn's last line was read, and in Chat Completions inside the events
    # between the reason to stop and the done marker.
    assert codes <= {"", "stream_truncated" if way in POLITE else "disconnected"}


@each_transport
@pytest.mark.parametrize("way", WAYS)
async def test_between_the_reason_to_stop_and_the_done_marker_only_a_clean_end_between_events_is_one(
    way: str, transport: TransportName
) -> None:
    turn = DIALECTS["chat"].turn
    usage, done = turn.index(b'data: {"id": "chatcmpl-1", "choices": [], "usage"'), turn.index(b"data: [DONE]")
    async with playing(DIALECTS["chat"], transport) as player:
        between = await codes_of(player, way, [usage, done])
        inside = await codes_of(player, way, range(usage + 1, done - len("}\n\n"), RARELY))
    assert between == ({""} if way in POLITE else {"disconnected"})
    assert inside == ({"stream_truncated"} if way in POLITE else {"disconnected"})


@each_dialect
@each_transport
@pytest.mark.parametrize("way", [way for way in WAYS if way != "a reset"])
async def test_the_uncut_turn_runs_the_tool_once(name: str, way: str, transport: TransportName) -> None:
    dialect = DIALECTS[name]
    async with playing(dialect, transport) as player:
        assert await codes_of(player, way, [len(dialect.turn)]) == {""}


@each_dialect
@each_transport
@pytest.mark.parametrize("way", WAYS)
async def test_a_retry_of_a_cut_turn_pays_once(name: str, way: str, transport: TransportName) -> None:
    dialect = DIALECTS[name]
    cuts = shared(range(0, dialect.whole, 10 if LONG else 101), transport)
    async with playing(dialect, transport, attempts=2) as player:
        assert await codes_of(player, way, cuts, "once") == {""}
