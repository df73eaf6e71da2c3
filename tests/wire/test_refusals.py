"""What a server says instead of an answer means the same by either transport, however much it says and however it ends."""

from __future__ import annotations

import gzip
import json
import zlib
from dataclasses import dataclass, replace

import pytest

from finclaw_cli.core.errors import ProviderError
from finclaw_cli.core.ports import Provider
from finclaw_cli.http import refusals
from finclaw_cli.http.refusals import MAX_REFUSAL_BYTES
from finclaw_cli.providers.anthropic.adapter import create as create_anthropic
from finclaw_cli.providers.config import ProviderConfig, TransportName
from finclaw_cli.providers.openai.chat import create_chat
from tests.wire import openai_chat_wire as chat
from tests.wire.anthropic_events import begin, end, text
from tests.wire.openai_turns import ask, read
from tests.wire.server import Reply, VectorServer, anthropic_sse, json_reply
from tests.wire.transports import TRANSPORTS, Configure

WAIT = {"Retry-After": "7", "request-id": "req_1", "x-request-id": "req_1"}
BUSY = {"type": "error", "error": {"type": "rate_limit_error", "message": "slow down, please"}, "request_id": "req_2"}
PAGE = b"<html><body>" + b"<p>Bad Gateway</p>" * 10 + b"</body></html>"
# Says all there is to say at once, and then says it for ever.
ENDLESS = json.dumps(BUSY).encode() + b" " * (MAX_REFUSAL_BYTES + 1)


@dataclass(frozen=True)
class Says:
    """A refusal; `words` must stand in the message, and `asked` are the request id and how long to wait."""

    reply: Reply
    reason: str
    words: str
    asked: tuple[str | None, float | None] = (None, None)


def compressed(reply: Reply, encoding: str) -> Reply:
    body = gzip.compress(reply.body) if encoding == "gzip" else zlib.compress(reply.body)
    return replace(reply, body=body, headers={**reply.headers, "Content-Encoding": encoding})


REFUSALS = {
    "JSON": Says(json_reply(BUSY, status=429), "rate_limit", "slow down, please", ("req_2", None)),
    "its headers": Says(json_reply(BUSY, status=429, headers=WAIT), "rate_limit", "slow down", ("req_1", 7)),
    "JSON in pieces": Says(
        Reply(body=json.dumps(BUSY).encode(), status=429, split="bytes"), "rate_limit", "slow down", ("req_2", None)
    ),
    "a list": Says(json_reply([BUSY], status=429), "rate_limit", "slow down, please", ("req_2", None)),
    "details": Says(json_reply({"detail": [{"loc": ["body"], "msg": "no"}]}, status=422), "bad_request", "body: no"),
    "text": Says(Reply(body=b"no such model", status=404, content_type="text/plain"), "bad_request", "no such model"),
    "text of another charset": Says(
        Reply(body="모델이 없습니다".encode("euc-kr"), status=404, content_type="text/plain; charset=euc-kr"),
        "bad_request",
        "모델이 없습니다",
    ),
    "a page": Says(Reply(body=PAGE, status=502, content_type="text/html"), "server_error", "HTTP status 502"),
    "nothing": Says(Reply(status=503, framing="length"), "overloaded", "HTTP status 503"),
    "deep JSON": Says(Reply(body=b"[" * 100_000, status=500), "server_error", "[[["),
    "gzip": Says(compressed(json_reply(BUSY, status=429), "gzip"), "rate_limit", "slow down", ("req_2", None)),
    "deflate": Says(compressed(json_reply(BUSY, status=429), "deflate"), "rate_limit", "slow down", ("req_2", None)),
    "a bomb": Says(compressed(Reply(body=b"x" * 20_000_000, status=500), "gzip"), "server_error", "xxx"),
    "garbage said to be gzip": Says(
        Reply(body=b"oops", status=500, headers={"Content-Encoding": "gzip"}), "server_error", "HTTP status 500"
    ),
    "a redirect": Says(
        Reply(status=307, headers={"Location": "/elsewhere"}, framing="length"), "bad_request", "HTTP status 307"
    ),
    "a redirect to nowhere": Says(
        Reply(status=302, headers={"Location": "http://["}, framing="length"), "bad_request", "HTTP status 302"
    ),
    "an endless body": Says(Reply(body=ENDLESS, status=429, stall=True), "rate_limit", "slow down", ("req_2", None)),
    "a body that breaks off": Says(
        Reply(body=PAGE, status=503, cut_at=40, ending="cut"), "overloaded", "HTTP status 503"
    ),
    "a body that is reset": Says(
        replace(json_reply(BUSY, status=401, headers=WAIT), cut_at=30, ending="reset"), "auth", '"error"', ("req_1", 7)
    ),
}


@pytest.mark.parametrize("create", [create_anthropic, create_chat], ids=["anthropic", "chat"])
@pytest.mark.parametrize("says", REFUSALS.values(), ids=REFUSALS)
async def test_a_refusal_is_the_same_error_by_either_transport(says: Says, create: type[Provider]) -> None:
    direct, sdk = [await refusal(says.reply, create, transport) for transport in TRANSPORTS]
    assert facts(direct) == facts(sdk)
    assert (direct.reason, direct.status) == (says.reason, says.reply.status)
    assert (direct.request_id, direct.retry_after_s) == says.asked
    assert says.words in direct.message


async def refusal(reply: Reply, create: type[Provider], transport: TransportName) -> ProviderError:
    async with VectorServer(reply) as server:
        provider = create(ProviderConfig(api_key="k", base_url=server.url, transport=transport))  # type: ignore[call-arg]
        with pytest.raises(ProviderError) as caught:
            await ask(provider)
        await provider.aclose()
        assert len(server.requests) == 1
        assert server.requests[0].headers["accept-encoding"] == "identity"
    return caught.value


def facts(error: ProviderError) -> tuple[object, ...]:
    return (
        *(error.message, error.reason, error.code, error.status, error.request_id),
        *(error.retry_after_s, error.hint, error.provider),
    )


@pytest.mark.parametrize("create", [create_anthropic, create_chat], ids=["anthropic", "chat"])
async def test_a_refusal_whose_body_never_comes_is_not_waited_for(
    create: type[Provider], transport: TransportName, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(refusals, "MAX_REFUSAL_S", 0.05)
    error = await refusal(Reply(status=401, stall=True), create, transport)
    assert (error.reason, error.status) == ("auth", 401)


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_nothing_is_sent_to_where_a_redirect_leads(status: int, config: Configure) -> None:
    async with VectorServer() as elsewhere:
        moved = Reply(status=status, headers={"Location": f"{elsewhere.url}/v1/messages"}, framing="length")
        async with VectorServer(moved) as server:
            provider = create_anthropic(config(api_key="k", base_url=server.url))
            with pytest.raises(ProviderError) as caught:
                await ask(provider)
            await provider.aclose()
        assert elsewhere.connections == 0
    assert "redirects are not followed" in str(caught.value.hint)


@pytest.mark.parametrize("encoding", ["gzip", "deflate"])
async def test_an_answer_that_is_compressed_although_nobody_asked_is_read(encoding: str, config: Configure) -> None:
    answers = {
        create_anthropic: anthropic_sse([begin(), *text(0, "한국어"), *end()]),
        create_chat: chat.stream(chat.words("한국어"), chat.STOP),
    }
    for create, body in answers.items():
        async with VectorServer(compressed(Reply(body=body, split=[5, 9]), encoding)) as server:
            provider = create(config(api_key="k", base_url=server.url))
            assert read(await ask(provider)).text == "한국어"
            await provider.aclose()


@pytest.mark.parametrize("encoding", ["br", "zstd", "x-gzip", "gzip, gzip"])
async def test_an_answer_that_is_compressed_as_nobody_can_read_says_so(encoding: str, config: Configure) -> None:
    async with VectorServer(Reply(body=b"?", headers={"Content-Encoding": encoding})) as server:
        provider = create_anthropic(config(api_key="k", base_url=server.url))
        with pytest.raises(ProviderError, match=encoding) as caught:
            await ask(provider)
        await provider.aclose()
    assert (caught.value.code, caught.value.retryable) == ("unreadable_encoding", False)
