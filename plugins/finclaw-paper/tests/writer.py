"""What the tests of concurrency run in processes of their own: `python writer.py same|endless HOME …`."""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import time
from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from itertools import count
from pathlib import Path
from threading import Event

from finclaw_cli.sdk import ToolContext
from finclaw_paper.local import Desk, place, preview
from finclaw_paper.request import OrderRequest
from finclaw_paper.settings import PaperSettings
from finclaw_paper.views import reconciled


def desk_at(home: Path) -> Desk:
    rules = PaperSettings.model_validate({"fee": "0.01", "repeat_window_s": 0, "starting_cash": "100000000"})
    ctx = ToolContext(
        agent_id="a", session_id="s", run_id="r", turn=1, call_id="c", idempotency_key="k", home=home, workspace=home,
        user="u", channel="pipe", as_of=date(2024, 1, 3),
    )  # fmt: skip
    return Desk(ctx=ctx, settings=rules, given_up=Event())


def order(number: int, side: str = "buy") -> OrderRequest:
    return OrderRequest(symbol="ACME", side=side, type="market", tif="day", qty=Decimal(number % 7 + 1))  # type: ignore[arg-type]


def same(home: Path, writers: int) -> None:
    """As many processes place the same 20 orders under the same keys, all beginning at once on books not made yet."""
    desk = desk_at(home)
    preview(desk, order(0))  # everything is imported before the processes part
    waiting, go = os.pipe()
    for _ in range(writers):
        if os.fork() == 0:
            os.close(go)
            os.read(waiting, 1)
            fresh = [not place(desk, order(number), f"fc-{number}", repeat=False).duplicate for number in range(20)]
            os.write(sys.stdout.fileno(), f"{sum(fresh)}\n".encode())
            os._exit(0)
    os.close(go)
    ends = [os.wait()[1] for _ in range(writers)]
    sys.exit(max(ends))


def endless(home: Path, rounds: int, seed: int) -> None:
    """Kill two writers in full work, again and again, and see after each time that the books are whole."""
    chance = random.Random(seed)
    place(desk_at(home), order(9), "fc-first", repeat=False)
    for round_ in range(rounds):
        writers = [_writer(home, f"{round_}-{number}") for number in range(2)]
        for process, acknowledged in writers:
            os.read(acknowledged, 1)  # it is writing by now
            time.sleep(chance.uniform(0.0, 0.08))
            os.kill(process, signal.SIGKILL)
            os.waitpid(process, 0)
        acked = [name for _, acknowledged in writers for name in _all(acknowledged)]
        books = reconciled(desk_at(home), None).data["books"]  # type: ignore[index]
        print(json.dumps({"books": books, "acked": len(acked), "missing": _missing(home, acked)}))


def _writer(home: Path, name: str) -> tuple[int, int]:
    reading, writing = os.pipe()
    process = os.fork()
    if process:
        os.close(writing)
        return process, reading
    desk = desk_at(home)
    for number in count():
        own = f"fc-{name}-{number}"
        place(desk, order(number, "buy" if number % 3 else "sell") if number else order(9), own, repeat=False)
        os.write(writing, f"\n{own}\n".encode())
    raise AssertionError


def _all(descriptor: int) -> Iterator[str]:
    with os.fdopen(descriptor) as lines:
        yield from lines.read().split()


def _missing(home: Path, names: list[str]) -> list[str]:
    from finclaw_paper import book
    from finclaw_paper.ledger import reading

    with reading(home) as connection:
        assert connection is not None
        return [name for name in names if book.order(connection, name) is None]


if __name__ == "__main__":
    if sys.argv[1] == "same":
        same(Path(sys.argv[2]), int(sys.argv[3]))
    else:
        endless(Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]))
