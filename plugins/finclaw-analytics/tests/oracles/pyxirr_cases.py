"""Our search for rates on the cases of pyxirr's own tests; run by hand beside a clone of github.com/Anexen/pyxirr.

    PYTHONPATH=src python tests/oracles/pyxirr_cases.py PATH/TO/pyxirr

Each expected rate of its tests/test_scheduled.rs, and each second one given there as a comment, must be among ours.
"""

from __future__ import annotations

import csv
import re
import sys
from datetime import date
from pathlib import Path

from finclaw_analytics.roots import all_roots, sign_changes

_CASE = re.compile(r'"(tests/samples/[^"]+)", ([-\w.:]+)\)\](?: // (\S+))?')


def main(clone: Path) -> None:
    found = _CASE.findall(
        (clone / "tests/test_scheduled.rs").read_text(encoding="utf-8").split("fn test_xnpv_samples")[1]
    )
    failed = 0
    for name, first, second in found:
        with (clone / name).open(encoding="utf-8") as stream:
            rows = sorted(
                (date.fromisoformat(row[0]), float(row[1])) for row in csv.reader(stream) if row[0][:1].isdigit()
            )
        times = [(day - rows[0][0]).days / 365 for day, _ in rows]
        amounts = [amount for _, amount in rows]
        rates = all_roots(amounts, times) if sign_changes(amounts) else []
        wanted = [float(text) for text in (first, second) if text and "NAN" not in text]
        met = all(min((abs(rate - one) for rate in rates), default=1) < 1e-8 for one in wanted)
        failed += not met
        more = "" if wanted or not rates else "  (pyxirr finds none)"
        print("met " if met else "MISS", name, len(rates), [f"{rate:.10g}" for rate in rates[:4]], more)
    print(len(found), "cases,", failed, "missed")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
