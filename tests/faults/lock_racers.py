"""A crowd of processes that race for one session: all are let go at the same moment, round after round.

Started as a program: `lock_racers.py FOLDER PROCESSES ROUNDS`. Prints a line of JSON a round: the answers, in the
order in which they came. Whoever has the session keeps it until everybody has answered.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

from finclaw_cli.core.errors import SessionBusy
from finclaw_cli.transcript.lock import session_lock

Pipe = tuple[int, int]


def wait_for(gate: Pipe) -> None:
    """Until its other end is closed, by the one process that has it."""
    os.read(gate[0], 1)


def race(transcripts: list[Path], starts: list[Pipe], ends: list[Pipe], answers: int) -> None:
    for transcript, start, end in zip(transcripts, starts, ends, strict=True):
        wait_for(start)
        try:
            with session_lock(transcript, timeout_s=0):
                os.write(answers, b"h")
                wait_for(end)
        except SessionBusy:
            os.write(answers, b"b")
            wait_for(end)
        os.write(answers, b".")  # nobody has it any more


def main(folder: Path, processes: int, rounds: int) -> None:
    transcripts = [folder / f"{number // 2}.jsonl" for number in range(rounds)]  # its lock is made, then it is there
    starts, ends = [os.pipe() for _ in range(rounds)], [os.pipe() for _ in range(rounds)]
    heard, answers = os.pipe()
    for _ in range(processes):
        if not os.fork():
            for _, letting_go in (*starts, *ends):
                os.close(letting_go)
            race(transcripts, starts, ends, answers)
            os._exit(0)
    for start, end in zip(starts, ends, strict=True):
        os.close(start[1])
        said = os.read(heard, 1)
        while len(said) < processes:
            said += os.read(heard, 1)
        print(json.dumps(["held" if answer == ord("h") else "busy" for answer in said]), flush=True)
        os.close(end[1])
        for _ in range(processes):
            assert os.read(heard, 1) == b"."
    for _ in range(processes):
        _, status = os.wait()
        assert status == 0, status


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
