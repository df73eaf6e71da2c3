"""Count words that describe programs as persons; `words.json` has how many are left, and they only become fewer.

    .ci/words.py            write the counts, which must not have grown
    .ci/words.py --check    compare: more is an error, and fewer have to be written down

Docstrings, comments, names and texts use the terms of `docs/glossary.md`.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[1]
COUNTS = ROOT / ".ci" / "words.json"
WORD = re.compile(r"\b(?:nobody|somebody|anybody|whoever|told|tells|says|said|heard|hears)(?![\w'])", re.IGNORECASE)
AREAS = {"finclaw_cli": "finclaw_cli", "plugins": "plugins", "tests": "tests", "docs": ""}
MADE_FROM_CODE = {Path("docs/reference") / name for name in ("agent.md", "events.md", "sdk.md")}
"""Pages of docstrings and names, which are counted where they stand."""
SUFFIXES = {".py", ".md"}


def area_of(path: Path) -> str | None:
    """The area that a file is counted in; None for files that are not counted."""
    if path.suffix not in SUFFIXES or path.name in {"CHANGELOG.md", "words.py", "glossary.md"}:
        return None
    if path in MADE_FROM_CODE:
        return None
    if path.suffix == ".md":
        return "docs"
    if "tests" in path.parts:
        return "tests"
    return path.parts[0] if path.parts[0] in AREAS else None


def counted() -> dict[str, int]:
    """How often the words occur in each area."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True)  # noqa: S607
    counts: Counter[str] = Counter(dict.fromkeys(AREAS, 0))
    for name in listed.stdout.splitlines():
        area = area_of(Path(name))
        if area is not None and (ROOT / name).is_file():
            counts[area] += len(WORD.findall((ROOT / name).read_text("utf-8")))
    return dict(sorted(counts.items()))


def main() -> None:
    """Write or compare the counts."""
    counts = counted()
    kept: dict[str, int] = json.loads(COUNTS.read_text("utf-8")) if COUNTS.exists() else counts
    grown = [f"{area}: {counts[area]}, {kept[area]} before" for area in counts if counts[area] > kept[area]]
    if grown:
        sys.exit(f"words of persons in {'; '.join(grown)}: docs/glossary.md has the terms to use")
    if "--check" not in sys.argv:
        COUNTS.write_text(json.dumps(counts, indent=2) + "\n", "utf-8")
    elif counts != kept:
        sys.exit(f"there are fewer now, {counts}: run .ci/words.py")


if __name__ == "__main__":
    main()
