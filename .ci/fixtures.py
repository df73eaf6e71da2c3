"""Import public files of other projects, and print a table of what is expected and what is given, as Markdown.

    .ci/fixtures.py             the files that are kept in the plugin's tests
    .ci/fixtures.py FOLDER      all files of the list; FOLDER has OWNER+NAME/PATH for each repository at its commit

The list is `plugins/finclaw-ledger/tests/fixtures/list.json`. The exit code is 1 where a file is wrong.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[1]
TESTS = ROOT / "plugins" / "finclaw-ledger" / "tests"
sys.path.insert(0, str(TESTS))


def main() -> None:
    """Print the table and the counts."""
    import typer
    from public_files import FOLDER, public_files, verdict
    from typer.testing import CliRunner

    from finclaw_ledger import plugin

    os.environ["FINCLAW_HOME"] = tempfile.mkdtemp()
    app = typer.Typer()
    plugin.finclaw_commands(app)
    app.command()(lambda: None)

    def run(*arguments: object) -> tuple[int, str, str]:
        result = CliRunner().invoke(app, ["ledger", *map(str, arguments)])
        traceback = "" if isinstance(result.exception, SystemExit | None) else f"traceback: {result.exception!r}"
        return result.exit_code, result.stdout, traceback or result.stderr

    given = Path(sys.argv[1]) if len(sys.argv) > 1 else None
    counts: Counter[tuple[str, str]] = Counter()
    print("| file | source | expected | given | |\n|---|---|---|---|---|")
    for file in public_files():
        if given is None and not file.kept:
            continue
        found, got = verdict(file, given or FOLDER / "files", run)
        counts[file.kind, found] += 1
        cells = (Path(file.path).name, f"{file.repository}@{file.commit[:8]}", file.expected, got[:200], found)
        print("| " + " | ".join(cell.replace("|", "/").replace("\n", " ") for cell in cells) + " |")
    for kind in sorted({kind for kind, _ in counts}):
        print(f"{kind}: " + ", ".join(f"{counts[kind, found]} {found}" for found in ("right", "refused", "wrong")))
    sys.exit(any(found == "wrong" for _, found in counts))


if __name__ == "__main__":
    main()
