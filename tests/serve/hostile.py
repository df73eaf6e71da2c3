"""Hostile requests as bytes: `PORT` and `TOKEN` in them are those of the server."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

CLOSED: int | None = None
"""The connection is closed without an answer, or stays silent."""
BODY = b'{"prompt":"steal","model":"demo"}'


@dataclass(frozen=True)
class Hostile:
    """One request, and the statuses of answers that give nothing away."""

    name: str
    sent: bytes
    statuses: tuple[int | None, ...]

    def bytes(self, port: int, token: str) -> bytes:
        return self.sent.replace(b"PORT", str(port).encode()).replace(b"TOKEN", token.encode())


def request(line: str, headers: Iterable[str] = (), body: bytes = b"", *, host: str = "127.0.0.1:PORT") -> bytes:
    """A request with a Host, which may be left out by `host=""`."""
    lines = [line, *([f"Host: {host}"] if host else []), *headers]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1") + body


def post(headers: Iterable[str], body: bytes = BODY, *, path: str = "/v1/runs", host: str = "127.0.0.1:PORT") -> bytes:
    """A request to start a run, with its length."""
    given = [*headers, f"Content-Length: {len(body)}"]
    return request(f"POST {path} HTTP/1.1", given, body, host=host)


AUTH = "Authorization: Bearer TOKEN"
JSON = "Content-Type: application/json"
UPGRADE = (
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
)
EVENTS = "GET /v1/runs/run_01m8aneckt5qg1kn58a9jhc62p/events HTTP/1.1"
PROTOCOLS = "Sec-WebSocket-Protocol: finclaw, token.TOKEN"
FOREIGN_HOSTS = (
    "evil.example", "evil.example:PORT", "127.0.0.1", "localhost", "127.0.0.1:1", "127.0.0.1.evil.example:PORT",
    "localhost.evil.example:PORT", "127.0.0.1:PORT.evil.example", "127.0.0.1:PORT@evil.example", "0.0.0.0:PORT",
    "127.1:PORT", "2130706433:PORT", "0x7f000001:PORT", "[::1", "[::1]:", "[::ffff:127.0.0.1]:PORT",
    "127.0.0.1:PORT:PORT", "127.0.0.1:0PORT", "127.0.0.1:+PORT", "127.0.0.1: PORT", "LOCALHOST.:PORT",
    "localhost:PORT/", "localhost:PORT#", "localhost:PORT?", "user@localhost:PORT", "a\\localhost:PORT",
)  # fmt: skip
FOREIGN_ORIGINS = (
    "null", "http://evil.example", "https://evil.example", "http://evil.example:PORT", "http://127.0.0.1",
    "http://127.0.0.1:1", "https://127.0.0.1:PORT", "http://127.0.0.1:PORT.evil.example", "file://",
    "http://localhost.evil.example:PORT", "chrome-extension://abcdefghijklmnop", "http://127.0.0.1:PORT/", "",
    "http://user@127.0.0.1:PORT", "HTTP://127.0.0.1:PORT", "http://127.0.0.1:PORT http://evil.example",
    "http://[::ffff:127.0.0.1]:PORT", "data:", "ws://127.0.0.1:PORT",
)  # fmt: skip
WRONG_TOKENS = (
    "", "Authorization: Bearer", "Authorization: Bearer ", "Authorization: Bearer x", "Authorization: Bearer TOKENx",
    "Authorization: Bearer  TOKEN", "Authorization: Bearer token", "Authorization: Basic TOKEN",
    "Authorization: TOKEN", "Authorization: Bearer TOKEN,TOKEN", "Authorization: bearer=TOKEN",
    "Cookie: token=TOKEN", "X-Token: TOKEN", "Authorization: Bearer \xff\xfe", "Proxy-Authorization: Bearer TOKEN",
)  # fmt: skip
DATA_PATHS = (
    "/v1/runs", "/v1/sessions", "/v1/cost", "/v1/tools", "/v1/models", "/v1/settings", "/v1/approvals", "/v1/schema",
    "/v1/events", "/v1/openapi.json", "/v1/sessions/x/html", "/v1", "/v1/", "/anything",
)  # fmt: skip
PATH_TRICKS = (
    "/assets/../server.py", "/assets/..%2fserver.py", "/assets/%2e%2e/server.py", "/assets/%2e%2e%2f%2e%2e%2fetc/passwd",
    "//v1/runs", "/v1//runs", "/v1/./runs", "/v1/sessions/..%2f..%2fconfig", "/v1/sessions/%2e%2e", "/v1/sessions/..",
    "/v1/runs/../health", "/v1/health/../runs", "/v1/health%2f..%2fruns", "/v1/runs%00", "/v1/runs%0d%0aX:y",
    "/v1/sessions/%252e%252e", "/assets/index.html%00.js", "/v1/health;/v1/runs", "/assets\\..\\server.py",
    "/v1/runs%2f", "/%76%31/runs", "/v1/sessions/.hidden", "/assets/~root",
)  # fmt: skip


def _from_elsewhere() -> Iterator[Hostile]:
    for host in FOREIGN_HOSTS:
        yield Hostile(f"host {host}", post([AUTH, JSON], host=host), (403, 400))
    yield Hostile("no host", post([AUTH, JSON], host=""), (400,))
    yield Hostile("no host in HTTP 1.0", request("GET /v1/runs HTTP/1.0", [AUTH], host=""), (403, 400))
    yield Hostile(
        "host of another address in the line", request("GET http://evil.example/v1/runs HTTP/1.1", [AUTH]), (400,)
    )
    for origin in FOREIGN_ORIGINS:
        yield Hostile(f"origin {origin}", post([AUTH, JSON, f"Origin: {origin}"]), (403,))
    for site in ("cross-site", "same-site", "", "none, cross-site"):
        yield Hostile(f"fetch from {site}", post([AUTH, JSON, f"Sec-Fetch-Site: {site}"]), (403,))
    preflight = ["Origin: http://evil.example", "Access-Control-Request-Method: POST"]
    yield Hostile("preflight", request("OPTIONS /v1/runs HTTP/1.1", preflight), (403,))
    yield Hostile("preflight without origin", request("OPTIONS /v1/runs HTTP/1.1", [AUTH]), (405,))


def _without_token() -> Iterator[Hostile]:
    for header in WRONG_TOKENS:
        yield Hostile(f"token {header!r}", post([JSON, *([header] if header else [])]), (401, 400))
    for path in DATA_PATHS:
        yield Hostile(f"no token for {path}", request(f"GET {path} HTTP/1.1"), (401, 400))
    for name in ("token", "access_token", "TOKEN=x&token"):
        path = f"/v1/runs?{name.replace('TOKEN', 'a')}=TOKEN"
        yield Hostile(f"token as {name} in the query", post([JSON], path=path), (400,))
        yield Hostile(f"token as {name} in the query and a header", post([AUTH, JSON], path=path), (400,))


def _of_wrong_form() -> Iterator[Hostile]:
    for path in PATH_TRICKS:
        yield Hostile(f"path {path}", request(f"GET {path} HTTP/1.1", [AUTH]), (400, 404))
    for method in ("PUT", "DELETE", "PATCH", "TRACE", "CONNECT", "PROPFIND", "get"):
        yield Hostile(f"method {method}", request(f"{method} /v1/runs HTTP/1.1", [AUTH, JSON]), (405, 400))
    for header in ("Host: 127.0.0.1:PORT", AUTH, "Origin: http://127.0.0.1:PORT", JSON, "Idempotency-Key: a"):
        twice = [AUTH, JSON, "Origin: http://127.0.0.1:PORT", "Idempotency-Key: a", header]
        yield Hostile(f"twice {header}", post(twice), (400,))
    for kind in (
        "",
        "Content-Type: text/plain",
        "Content-Type: application/x-www-form-urlencoded",
        "Content-Type: multipart/form-data; boundary=x",
    ):
        yield Hostile(f"type {kind!r}", post([AUTH, *([kind] if kind else [])]), (415,))
    bodies = {
        "no JSON": b"prompt=steal", "a list": b"[]", "a key twice": b'{"prompt":"a","prompt":"b"}', "nothing": b"",
        "NaN": b'{"prompt":"a","max_cost":NaN}', "deep": b"[" * 1_500, "not UTF-8": b'{"prompt":"\xff"}',
        "an unknown key": b'{"prompt":"a","shell":"x"}', "a setting of the terminal": b'{"prompt":"a","output":"text"}',
        "a table of settings": b'{"prompt":"a","providers":{}}', "a list as prompt": b'{"prompt":["a"]}',
        "an empty prompt": b'{"prompt":"  "}', "a path as session": b'{"prompt":"a","session":"../../etc/passwd"}',
        "a value of a wrong type": b'{"prompt":"a","max_turns":"many"}', "no transcript": b'{"prompt":"a","save":false}',
        "a second JSON": b'{"prompt":"a"}{"prompt":"b"}',
    }  # fmt: skip
    for name, body in bodies.items():
        yield Hostile(f"body with {name}", post([AUTH, JSON], body), (400,))
    yield Hostile("unknown parameter", post([AUTH, JSON], path="/v1/runs?debug=1"), (400,))
    yield Hostile("a long query", request(f"GET /v1/sessions?query={'a' * 5_000} HTTP/1.1", [AUTH]), (400,))


def _too_much() -> Iterator[Hostile]:
    large = b'{"prompt":"' + b"x" * 2_100 + b'"}'
    yield Hostile("large body", post([AUTH, JSON], large), (413,))
    yield Hostile(
        "large body that is announced",
        request("POST /v1/runs HTTP/1.1", [AUTH, JSON, "Content-Length: 99999999999"]),
        (413,),
    )
    chunks = b"".join(b"400\r\n" + b"x" * 1_024 + b"\r\n" for _ in range(4)) + b"0\r\n\r\n"
    chunked = "Transfer-Encoding: chunked"
    yield Hostile("large body in chunks", request("POST /v1/runs HTTP/1.1", [AUTH, JSON, chunked], chunks), (413,))
    yield Hostile("slow body", request("POST /v1/runs HTTP/1.1", [AUTH, JSON, "Content-Length: 30"], b'{"pro'), (408,))
    yield Hostile("slow body in chunks", request("POST /v1/runs HTTP/1.1", [AUTH, JSON, chunked], b"5\r\n{"), (408,))
    yield Hostile("slow head", b"POST /v1/runs HTTP/1.1\r\nHost: 127.0", (CLOSED,))
    yield Hostile("nothing", b"", (CLOSED,))
    yield Hostile("long head", request("GET /v1/runs HTTP/1.1", [AUTH, f"X-Long: {'a' * 70_000}"]), (400, 431, CLOSED))
    yield Hostile(
        "many headers", request("GET /v1/runs HTTP/1.1", [f"X-{n}: a" for n in range(5_000)]), (400, 401, 431, CLOSED)
    )
    yield Hostile("long address", request(f"GET /{'a' * 70_000} HTTP/1.1", [AUTH]), (400, 404, CLOSED))


def _malformed() -> Iterator[Hostile]:
    malformed = {
        "no HTTP": b"hello\r\n\r\n", "HTTP 2": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "TLS": b"\x16\x03\x01\x02\x00\x01",
        "a space in a header": request("GET /v1/runs HTTP/1.1", ["Authorization : Bearer TOKEN"]),
        "a header over two lines": request("GET /v1/runs HTTP/1.1", ["X: a\r\n Authorization: Bearer TOKEN"]),
        "two lengths": request("POST /v1/runs HTTP/1.1", [AUTH, JSON, "Content-Length: 5", "Content-Length: 33"], BODY),
        "a negative length": request("POST /v1/runs HTTP/1.1", [AUTH, JSON, "Content-Length: -1"], BODY),
        "an unknown encoding": request("POST /v1/runs HTTP/1.1", [AUTH, JSON, "Transfer-Encoding: gzip"], BODY),
        "a bad chunk": request("POST /v1/runs HTTP/1.1", [AUTH, JSON, "Transfer-Encoding: chunked"], b"zz\r\n\r\n"),
        "a bare line feed": b"GET /v1/runs HTTP/1.1\nHost: 127.0.0.1:PORT\n\n",
        "a zero byte": request("GET /v1/runs HTTP/1.1", ["X: a\x00b"]),
        "a version": request("GET /v1/runs HTTP/9.9", [AUTH]),
    }  # fmt: skip
    for name, sent in malformed.items():
        yield Hostile(f"malformed: {name}", sent, (400, 401, 403, 408, 505, CLOSED))


def _web_sockets() -> Iterator[Hostile]:
    yield Hostile("socket without token", request(EVENTS, UPGRADE), (401,))
    yield Hostile(
        "socket with a wrong token", request(EVENTS, [*UPGRADE, "Sec-WebSocket-Protocol: finclaw, token.x"]), (401,)
    )
    yield Hostile("socket with two tokens", request(EVENTS, [*UPGRADE, f"{PROTOCOLS}, token.x"]), (401,))
    yield Hostile("socket with a bare token", request(EVENTS, [*UPGRADE, "Sec-WebSocket-Protocol: TOKEN"]), (401,))
    token_in_query = EVENTS.replace("/events", "/events?token=TOKEN")
    yield Hostile("socket with a token in the query", request(token_in_query, UPGRADE), (400,))
    for origin in ("null", "http://evil.example", "http://evil.example:PORT", "https://127.0.0.1:PORT"):
        headers = [*UPGRADE, PROTOCOLS, f"Origin: {origin}"]
        yield Hostile(f"socket from {origin}", request(EVENTS, headers), (403,))
    for host in ("evil.example:PORT", "127.0.0.1:PORT.evil.example"):
        yield Hostile(f"socket to {host}", request(EVENTS, [*UPGRADE, PROTOCOLS], host=host), (403,))
    yield Hostile("socket of a run that is none", request(EVENTS, [*UPGRADE, PROTOCOLS]), (404,))
    yield Hostile(
        "socket of a path that is none", request("GET /v1/runs HTTP/1.1", [*UPGRADE, PROTOCOLS]), (403, 404, 500)
    )
    no_key = [each for each in UPGRADE if "Key" not in each]
    yield Hostile("socket without a key", request(EVENTS, [*no_key, PROTOCOLS]), (400,))
    version = [each.replace("13", "7") for each in UPGRADE]
    yield Hostile("socket of another version", request(EVENTS, [*version, PROTOCOLS]), (400, 426))
    bad_after = EVENTS.replace("/events", "/events?after=x")
    yield Hostile("socket after no number", request(bad_after, [*UPGRADE, PROTOCOLS]), (404, 400))
    yield Hostile(
        "upgrade to another protocol", request(EVENTS, [AUTH, "Connection: Upgrade", "Upgrade: h2c"]), (406, 404)
    )


CASES = (
    *_from_elsewhere(), *_without_token(), *_of_wrong_form(), *_too_much(), *_malformed(), *_web_sockets(),
)  # fmt: skip
