"""What an import shows of its progress."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
import termios
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from pathlib import Path

import pytest

from finclaw_cli.sdk import ToolContext
from finclaw_market.importer import import_files
from finclaw_market.kinds import Kind, import_kind
from finclaw_market.options import ImportOptions

FIRST = date(1990, 1, 1)
Step = tuple[str, float | None, float | None]


def price_rows(count: int) -> str:
    days = (FIRST + timedelta(days=at % 10_000) for at in range(count))
    return "date,symbol,close\n" + "".join(f"{day},S{at // 10_000},{10 + at % 7}\n" for at, day in enumerate(days))


def steps_of(run: Callable[..., object]) -> list[Step]:
    steps: list[Step] = []

    def progress(message: str, done: float | None = None, total: float | None = None) -> None:
        steps.append((message, done, total))

    run(progress)
    return steps


def test_an_import_reports_each_thousand_rows_and_each_phase(home: Path, file: Callable[..., Path]) -> None:
    path = file(price_rows(2_500))
    steps = steps_of(lambda progress: import_files([path], home, ImportOptions(progress=progress)))
    assert [(done, total) for message, done, total in steps if message == "reading prices.csv"] == [
        (0, 2_500),
        (1_000, 2_500),
        (2_000, 2_500),
    ]
    assert list(dict.fromkeys(message for message, _, _ in steps)) == [
        "looking at prices.csv",
        "reading prices.csv",
        "looking for repeated rows",
        "comparing with the store",
        "looking for errors",
        "writing",
    ]


@pytest.mark.parametrize(
    ("kind", "header", "row"), [("fx", "date,from,to,rate", "EUR,USD,1"), ("series", "date,value", "1")]
)
def test_rates_and_series_report_their_rows_too(
    kind: Kind, header: str, row: str, home: Path, file: Callable[..., Path]
) -> None:
    path = file(header + "\n" + "".join(f"{FIRST + timedelta(days=at)},{row}\n" for at in range(1_200)))
    steps = steps_of(lambda progress: import_kind(kind, [path], home, ImportOptions(symbol="X", progress=progress)))
    assert ("reading prices.csv", 1_000, None) in steps


def test_the_tool_reports_the_fraction_of_the_rows(
    context: Callable[..., ToolContext], home: Path, tmp_path: Path
) -> None:
    from dataclasses import replace

    from finclaw_market.intake import import_data

    (tmp_path / "prices.csv").write_text(price_rows(2_500))
    seen: list[tuple[str, float | None]] = []

    def progress(message: str, fraction: float | None = None) -> None:
        seen.append((message, fraction))

    ctx = replace(context(), workspace=tmp_path, progress=progress)
    import_data("prices.csv", ctx)  # type: ignore[operator]
    assert (0.4 in [fraction for _, fraction in seen]) is True


@pytest.mark.skipif(sys.platform != "linux", reason="reads a pty to its end as Linux does")
def test_a_long_import_shows_its_rate_and_the_time_left_on_a_terminal(home: Path, file: Callable[..., Path]) -> None:
    path = file(price_rows(60_000))
    seen = b"".join(on_terminal(home, "data", "import", str(path), "--currency", "USD"))
    assert b"reading prices.csv" in seen
    assert b"rows/s" in seen
    assert b" left" in seen
    assert b"\x1b[?25l" not in seen  # a signal would leave the cursor hidden


def on_terminal(home: Path, *arguments: str) -> Iterator[bytes]:
    leader, follower = pty.openpty()
    termios.tcsetwinsize(follower, (24, 100))
    environment = {**os.environ, "FINCLAW_HOME": str(home), "TERM": "xterm-256color"}
    process = subprocess.Popen(
        [sys.executable, "-m", "finclaw_cli", *arguments],
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=follower,
        stderr=follower,
    )
    os.close(follower)
    try:
        while data := os.read(leader, 65_536):
            yield data
    except OSError:  # Linux says so when the last writer has gone
        pass
    finally:
        os.close(leader)
    assert process.wait() == 0
