"""Makes the demo's price files: the same bytes on every machine.

    python -m finclaw_demo.generate           # write them
    python -m finclaw_demo.generate --check   # only compare; exit code 1 where one differs

What moves and what happens is in `companies`, how it moves in `walk`.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from finclaw_demo.companies import INSTRUMENTS, Instrument
from finclaw_demo.dataset import DATA
from finclaw_demo.walk import Day, walk

_PRICES = "Date,Open,High,Low,Close"
_SHARES = f"{_PRICES},Adj Close,Volume,Dividends,Stock Splits"


def price_files() -> dict[str, bytes]:
    """The content of each file by its name."""
    return {instrument.file: _csv(instrument) for instrument in INSTRUMENTS}


def main(arguments: list[str] | None = None, folder: Path = DATA) -> int:
    """Write the files, or compare them; the exit code."""
    parser = argparse.ArgumentParser(prog="python -m finclaw_demo.generate", description="Makes the demo's prices.")
    parser.add_argument("--check", action="store_true", help="only compare with the files that are there")
    if not parser.parse_args(arguments).check:
        folder.mkdir(exist_ok=True)
        for name, content in price_files().items():
            (folder / name).write_bytes(content)
        return 0
    different = [name for name, content in price_files().items() if not _holds(folder / name, content)]
    if different:
        sys.stderr.write(f"not what the generator makes: {', '.join(different)}\n")
    return 1 if different else 0


def _holds(path: Path, content: bytes) -> bool:
    return path.is_file() and path.read_bytes() == content


def _csv(instrument: Instrument) -> bytes:
    header = _PRICES if instrument.volume is None else _SHARES
    lines = [header, *(_line(day) for day in walk(instrument))]
    return "".join(f"{line}\n" for line in lines).encode("ascii")


def _line(day: Day) -> str:
    cells: list[object] = [day.day, day.open, day.high, day.low, day.close]
    if day.volume is not None:
        # Feeds write zero for a day without a split.
        cells += [day.adjusted, day.volume, day.dividend, day.split if day.split > 1 else 0]
    return ",".join(map(str, cells))


if __name__ == "__main__":
    sys.exit(main())
