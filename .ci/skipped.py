"""Run the tests that were skipped, in an environment with all extras; fail where one is skipped again.

python .ci/skipped.py LOG ...    outputs of pytest -rs, run in the project's folder

For root, permissions of files are made to count as for any other user.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
SKIPPED = re.compile(r"^SKIPPED \[\d+\] (?P<place>(?P<path>[^:\n]+):\d+): (?P<reason>.*)$", re.MULTILINE)
BOUND = ("setpriv", "--bounding-set=-dac_override,-dac_read_search")
NO_TESTS = 5
"""The exit code of pytest where a file is skipped as a whole, and nothing else is to run."""


def project_of(path: str) -> str:
    """The folder of the pyproject.toml that a test file belongs to."""
    parts = Path(path).parts
    return "/".join(parts[:2]) if parts[0] == "plugins" else "."


def run(project: str, files: Iterable[str]) -> Iterator[str]:
    """Run test files of one project and yield the places that were skipped; end the process where a test fails."""
    bound = BOUND if os.geteuid() == 0 else ()
    options = ("-q", "-rs", "-p", "no:cacheprovider", "-c", f"{project}/pyproject.toml", "--rootdir", project)
    # A folder of its own: pytest would remove those of earlier runs, with what only root can remove in them.
    with tempfile.TemporaryDirectory() as folder:
        command = [*bound, sys.executable, "-m", "pytest", *options, "--basetemp", f"{folder}/tests", *sorted(files)]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode not in {0, NO_TESTS}:
        sys.exit(done.stdout + done.stderr)
    print(f"{project}: {done.stdout.splitlines()[-1]}", flush=True)
    for found in SKIPPED.finditer(done.stdout):
        yield found["place"]


def main() -> int:
    """Run them and report the tests that no run has run."""
    files: defaultdict[str, set[str]] = defaultdict(set)
    reasons = {}
    for log in sys.argv[1:]:
        for found in SKIPPED.finditer(Path(log).read_text("utf-8")):
            reasons[found["place"]] = found["reason"]
            files[project_of(found["path"])].add(found["path"])
    again = {place for project in sorted(files) for place in run(project, files[project])}
    never = sorted(again & reasons.keys())
    for place in never:
        print(f"{place} is skipped in every run: {reasons[place]}", file=sys.stderr)
    return 1 if never else 0


if __name__ == "__main__":
    sys.exit(main())
