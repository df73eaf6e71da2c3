"""Other agents for the command line beside `finclaw run`, one turn each: `python -m tests.benchmarks.peers`.

Each is installed into a temporary folder by its own installer, asked in turn with finclaw, and answered by the project's
own server on this machine. Who cannot be installed, or does not answer, is told of with the reason. `--keep FOLDER`
installs there and finds again what is there already.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from tests.benchmarks.answers import WORDS
from tests.benchmarks.checkout import Checkout, Home
from tests.benchmarks.loopback import serving
from tests.benchmarks.one_turn import DELTAS, asking
from tests.benchmarks.peer import PEERS, Peer
from tests.benchmarks.table import aligned

ROUNDS = 5
PATIENCE_S = 120
INSTALLING_S = 900


class Unusable(Exception):
    """A peer that could not be measured."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """What one turn has cost."""

    cpu_s: float
    wall_s: float


def installed(peer: Peer, folder: Path) -> Path:
    """The peer's program, installed where it is not yet.

    Raises:
        Unusable: the installer failed.
    """
    folder.mkdir(parents=True, exist_ok=True)
    if (program := peer.program(folder)) is None:
        for command in peer.installing(folder):
            _install(command)
        program = peer.program(folder)
    if program is None:
        raise Unusable("its program is not where its installer should have put it")
    return program


def _install(command: Sequence[str]) -> None:
    try:
        done = subprocess.run(command, capture_output=True, check=False, timeout=INSTALLING_S)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Unusable(f"cannot be installed: {error}") from None
    if done.returncode:
        raise Unusable(f"cannot be installed: {_last(done.stderr or done.stdout)}")


def spent(name: str, command: Sequence[str], env: Mapping[str, str], folder: Path) -> Spent:
    """One turn of a command, which has to say what the server said.

    Raises:
        Unusable: it did not.
    """
    with tempfile.TemporaryFile() as said, tempfile.TemporaryFile() as complained:
        began = time.monotonic()
        process = subprocess.Popen(
            command, env=dict(env), cwd=folder, stdin=subprocess.DEVNULL, stdout=said, stderr=complained,
            start_new_session=True,
        )  # fmt: skip
        timer = threading.Timer(PATIENCE_S, os.killpg, (process.pid, signal.SIGKILL))
        timer.start()
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.monotonic() - began
        timer.cancel()
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)  # what it has left running
        process.returncode = os.waitstatus_to_exitcode(status)
        said.seek(0)
        complained.seek(0)
        answer, why = said.read(), complained.read()
    if process.returncode or WORDS.strip().encode() not in answer:
        raise Unusable(f"{name} does not answer (exit code {process.returncode}): {_last(why or answer)}")
    return Spent(cpu_s=usage.ru_utime + usage.ru_stime, wall_s=wall)


def _last(said: bytes) -> str:
    return " ".join(said.decode(errors="replace").split())[-300:]


def beside(peer: Peer, home: Home, folder: Path, rounds: int) -> list[tuple[Spent, Spent]]:
    """Peer and finclaw in turn, once more than counts, each against a server of its own dialect.

    Raises:
        Unusable: the peer could not be measured.
    """
    program = installed(peer, folder)
    with ExitStack() as stack:
        ours = stack.enter_context(serving(deltas=DELTAS, paced=True))
        theirs = stack.enter_context(serving(peer.dialect, deltas=DELTAS, paced=True))
        scratch = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        command, env = peer.ready(program, theirs.url, scratch)
        pairs = [
            (
                spent(peer.name, command, env, scratch),
                spent("finclaw", home.command(*asking(ours)), home.env, home.folder),
            )
            for _ in range(rounds + 1)
        ]
    return pairs[1:]


def line(peer: Peer, pairs: Sequence[tuple[Spent, Spent]]) -> tuple[str, ...]:
    """How many times what finclaw spends, and what was spent."""
    cpu = [theirs.cpu_s / ours.cpu_s for theirs, ours in pairs]
    wall = [theirs.wall_s / ours.wall_s for theirs, ours in pairs]
    spent_ms = [
        statistics.median(theirs.cpu_s for theirs, _ in pairs),
        statistics.median(ours.cpu_s for _, ours in pairs),
    ]
    ratio = statistics.median(cpu)
    return (
        peer.name,
        f"{ratio:.2f} × ({min(cpu):.2f} – {max(cpu):.2f})",
        f"{statistics.median(wall):.2f} × ({min(wall):.2f} – {max(wall):.2f})",
        f"≥ {peer.bar:.2f} ×",
        "met" if ratio >= peer.bar else "MISSED",
        f"{spent_ms[0] * 1e3:.0f} ms",
        f"{spent_ms[1] * 1e3:.0f} ms",
    )


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.benchmarks.peers", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("--peers", default=",".join(PEERS), help="some of: %(default)s")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="where they are installed, and stay")
    asked = parser.parse_args(arguments)
    if unknown := [name for name in asked.peers.split(",") if name not in PEERS]:
        parser.error(f"no such peer: {', '.join(unknown)}")
    lines: list[tuple[str, ...]] = [("one turn", "CPU, peer / finclaw", "wall", "bar (CPU)", "", "peer", "finclaw")]
    failures = {}
    with ExitStack() as stack:
        folder = asked.keep or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        home = stack.enter_context(Checkout().home())
        for peer in (PEERS[name] for name in asked.peers.split(",")):
            print(f"… {peer.name}", file=sys.stderr, flush=True)
            try:
                lines.append(line(peer, beside(peer, home, folder.resolve() / peer.name, asked.rounds)))
            except Unusable as why:
                failures[peer.name] = str(why)
    print("\n".join(aligned(lines)))
    for name, reason in failures.items():
        print(f"{name}: {reason}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
