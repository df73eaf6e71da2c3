"""Count again and keep what was counted: `python -m tests.footprint`. Needs valgrind."""

from __future__ import annotations

import shutil
import sys

from tests.footprint.commands import workbench
from tests.footprint.figures import YARDSTICKS, Figures, Modules, keep


def main() -> int:
    if shutil.which("valgrind") is None:
        print("instructions are counted by valgrind, which is not installed", file=sys.stderr)
        return 1
    with workbench() as bench:
        modules = {}
        for name in bench.commands:
            found = bench.imported(name)
            modules[name] = Modules(own=found.own, other=found.other, packages=sorted(found.packages))
            print(f"{name}: {found.own} modules of ours, {found.other} others", file=sys.stderr)
        instructions = {}
        for name, yardstick in YARDSTICKS.items():
            instructions[name] = round(bench.ratio(name, yardstick), 2)
            print(f"{name}: {instructions[name]} × the instructions of {yardstick}", file=sys.stderr)
    keep(Figures(modules=modules, instructions=instructions))
    return 0


if __name__ == "__main__":
    sys.exit(main())
