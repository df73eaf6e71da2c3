"""How well private data is masked: `python -m tests.benchmarks.masking_report`.

`--misses` lists the misses of the development part; `--held` those of the held-back part too, which nobody who writes
rules should read.
"""

from __future__ import annotations

import sys

from tests.masking.report import report


def main(arguments: list[str]) -> None:
    parts = (("dev",) if "--misses" in arguments else ()) + (("held",) if "--held" in arguments else ())
    for line in report(misses=parts):
        print(line)


if __name__ == "__main__":
    main(sys.argv[1:])
