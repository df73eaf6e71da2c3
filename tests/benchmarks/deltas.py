"""What a delta costs from the wire to a line, on each wire: `python -m tests.benchmarks.deltas`.

Against a loopback server in a process of its own; the yardstick reads the same stream with httpx2, parses each line and
prints it again.
"""

from __future__ import annotations

import json
import sys
import tempfile
from functools import partial
from pathlib import Path

from tests.benchmarks.loopback import serving
from tests.benchmarks.measure import compare, cpu_seconds, scratch_home

DELTAS = 20_000
ROUNDS = 5
YARDSTICK = """
import httpx2, json, sys
with httpx2.stream("POST", sys.argv[1], json={}) as response:
    for line in response.iter_lines():
        if line.startswith("data: {"):
            print(json.dumps(json.loads(line[5:])), flush=True)
"""
MODELS = {"anthropic": "anthropic:m", "chat": "openai-compatible:m", "responses": "openai-responses:m"}
OUTPUTS = {
    "NDJSON, kept": ("-o", "ndjson"),
    "NDJSON, not kept": ("-o", "ndjson", "--no-save"),
    "text, kept": ("-o", "text", "--stream"),
}


def main() -> None:
    print(json.dumps({"deltas": DELTAS, "what": "CPU of the stream alone: many deltas less one delta"}))
    for wire, model in MODELS.items():
        measure(wire, model)


def measure(wire: str, model: str) -> None:
    """Print what each way out takes on one wire."""
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(wire, deltas=DELTAS) as many,
        serving(wire, deltas=1) as one,
        (Path(folder) / "out").open("wb") as sink,
    ):
        env = scratch_home(Path(folder)) | {"OPENAI_API_KEY": "sk-0123456789"}

        def stream(*command: str) -> float:
            spent = (cpu_seconds([sys.executable, *command, url], env, sink.fileno()) for url in (many.url, one.url))
            return next(spent) - next(spent)

        finclaw = ("-m", "finclaw_cli", "run", "-m", model, "x")
        cases = {what: partial(stream, *finclaw, *how, "--base-url") for what, how in OUTPUTS.items()}
        print(wire)
        compare({"httpx2 + json": partial(stream, "-c", YARDSTICK), **cases}, rounds=ROUNDS)


if __name__ == "__main__":
    main()
