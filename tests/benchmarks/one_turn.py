"""A run of one turn, from the start of its process to the end of it, beside a script that asks the same and prints it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

from tests.benchmarks.answers import MODEL
from tests.benchmarks.checkout import Checkout, python, twenty_plugins
from tests.benchmarks.loopback import Loopback, serving
from tests.benchmarks.measure import run
from tests.benchmarks.rows import Pair, Row

DELTAS = 20
BYSTANDERS = 200
BARE_SCRIPT = "a bare httpx2 script, the same POST"
BARE_HTTPX2 = """
import httpx2, json, sys
body = {"model": sys.argv[2], "max_tokens": 4096, "stream": True, "messages": [{"role": "user", "content": "x"}]}
headers = {"x-api-key": "sk-ant-of-no-account", "anthropic-version": "2023-06-01"}
with httpx2.stream("POST", sys.argv[1] + "/v1/messages", json=body, headers=headers) as response:
    for line in response.iter_lines():
        if line.startswith("data:"):
            print(json.dumps(json.loads(line[5:])), flush=True)
"""


def asking(server: Loopback) -> tuple[str, ...]:
    """The arguments of a run as a program makes it: kept, as by default, and told in lines."""
    return ("run", "-o", "ndjson", "-m", f"anthropic:{MODEL}", "--base-url", server.url, "x")


def bare(server: Loopback) -> list[str]:
    return ["-c", BARE_HTTPX2, server.url, MODEL]


@contextmanager
def _first_byte(checkout: Checkout) -> Iterator[Pair]:
    with checkout.home() as home, serving(deltas=DELTAS, patient=True) as server:

        def finclaw() -> float:
            home.run(*asking(server), started=server.watch)
            return server.seen().cpu_s

        def script() -> float:
            run([sys.executable, *bare(server)], home.env, started=server.watch)
            return server.seen().cpu_s

        yield Pair(ours=finclaw, yardstick=script)


@contextmanager
def _whole(checkout: Checkout) -> Iterator[Pair]:
    with checkout.home() as home, serving(deltas=DELTAS, paced=True) as server:
        yield Pair(
            ours=partial(home.cpu, *asking(server)),
            yardstick=partial(python, *bare(server), env=home.env),
        )


@contextmanager
def _end(checkout: Checkout) -> Iterator[Pair]:
    with checkout.home() as home, serving(deltas=DELTAS, paced=True) as server:

        def after_the_last_byte() -> float:
            ended = home.run(*asking(server), started=server.watch)
            return ended.at - server.seen().last_byte_at

        yield Pair(ours=after_the_last_byte)


@contextmanager
def _among_plugins(checkout: Checkout) -> Iterator[Pair]:
    with (
        checkout.home(plugins=twenty_plugins(), distributions=BYSTANDERS) as full,
        checkout.home() as empty,
        serving(deltas=DELTAS, paced=True) as server,
    ):
        full.trust(twenty_plugins())
        yield Pair(ours=partial(full.cpu, *asking(server)), yardstick=partial(empty.cpu, *asking(server)))


ROWS = (
    Row(
        name="first-byte",
        what="run: process start to the request's first byte",
        yardstick=BARE_SCRIPT,
        bar=1.5,
        pair=_first_byte,
    ),
    Row(name="one-turn", what="run: one whole turn, 20 deltas, kept", yardstick=BARE_SCRIPT, bar=1.5, pair=_whole),
    Row(
        name="process-end",
        what="run: last byte of the stream to the end (wall)",
        yardstick="",
        bar=30,
        shown="ms",
        pair=_end,
    ),
    Row(
        name="plugins",
        what=f"one turn, 20 plugins and {BYSTANDERS} other distributions",
        yardstick="the same without any",
        bar=1.15,
        pair=_among_plugins,
    ),
)
