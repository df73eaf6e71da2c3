"""Which tests run which lines: recorded once for each test file, and kept in a folder outside the repository.

The file of a map is named after the contents of the sources; a test file that has changed is recorded again.
"""

from __future__ import annotations

import base64
import hashlib
import json
import subprocess
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from typing import Any

from checkout import ROOT, Copy, sources

HERE = Path(__file__).parent
# They fail for any change of a text, are not about what a program does, or interrupt threads: with an exception that
# waits for a thread, Python 3.11 does not go on under a tracer.
LEFT_OUT = (
    "tests/footprint/",
    "tests/docs/",
    "tests/faults/test_tool_termination.py",
    "tests/unit/test_house.py",
    "tests/unit/test_mutants.py",
)
SLOW = ("tests/e2e/", "tests/plugins/", "tests/agent/", "tests/faults/")
"""They start processes, and are recorded last."""
FILES_A_RUN = 6
RUN_LIMIT_S = 1_200


@dataclass(frozen=True)
class Test:
    """A test that passes."""

    project: str
    id: str
    seconds: float

    @property
    def file(self) -> str:
        """The path of its file, from its project."""
        return self.id.partition("::")[0]


def batched(paths: Sequence[str], size: int) -> list[list[str]]:
    """Split a list."""
    return [list(paths[first : first + size]) for first in range(0, len(paths), size)]


def first_bytes(root: Path, paths: Iterable[str]) -> dict[str, int]:
    """Where the lines of each source begin in the memory of the recorder."""
    listed = sorted(paths)
    lengths = [len((root / path).read_text("utf-8").splitlines()) + 1 for path in listed]
    return dict(zip(listed, accumulate(lengths, initial=1), strict=False))


def test_files(only: Sequence[str]) -> list[tuple[str, str]]:
    """The files of tests that are used, each with its project: the folder of its pyproject.toml."""
    roots = {".": ROOT / "tests", **{f"plugins/{path.parent.name}": path for path in ROOT.glob("plugins/*/tests")}}
    found = [
        (project, str(path.relative_to(ROOT)))
        for project, root in sorted(roots.items())
        for path in root.rglob("test_*.py")
    ]
    used = [(project, path) for project, path in found if not path.startswith(LEFT_OUT)]
    wanted = [one for one in used if not only or one[1].startswith(tuple(only))]
    return sorted(wanted, key=lambda one: (one[1].startswith(SLOW), *one))


def pytest_command(copy: Copy, project: str, *arguments: str) -> list[str]:
    """The command that runs tests of one project in the copy."""
    options = ("-x", "-q", "-p", "no:cacheprovider", "-c", f"{project}/pyproject.toml", "--rootdir", project)
    return [copy.python, "-m", "pytest", *options, *arguments]


def _digest(paths: Iterable[str]) -> str:
    digest = hashlib.sha256()
    for path in paths:
        digest.update(path.encode() + b"\0" + (ROOT / path).read_bytes() + b"\0")
    return digest.hexdigest()[:16]


class LineMap:
    """The map of one state of the sources."""

    def __init__(self, folder: Path, tests: Sequence[str] = ()) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.sources = sources()
        self._tests = test_files(tests)
        self.state = _digest(self.sources)
        self._path = folder / f"{self.state}.jsonl"
        self._first = first_bytes(ROOT, self.sources)
        self._lock = Lock()
        self._files = self._read()

    def _read(self) -> dict[str, dict[str, Any]]:
        lines = self._path.read_text("utf-8").splitlines() if self._path.exists() else []
        return {entry["file"]: entry for entry in map(json.loads, lines)}

    def missing(self) -> list[tuple[str, str]]:
        """The files of tests that are new or have changed."""
        return [
            (project, path) for project, path in self._tests if self._files.get(path, {}).get("hash") != _digest([path])
        ]

    def record(self, copies: Iterable[Copy], say: Callable[[str], None]) -> None:
        """Run the tests of the files that are missing, each copy in its turn."""
        runs: SimpleQueue[tuple[str, list[str]]] = SimpleQueue()
        for (project, _), group in groupby(self.missing(), key=lambda one: (one[0], one[1].startswith(SLOW))):
            for files in batched([path for _, path in group], FILES_A_RUN):
                runs.put((project, files))
        workers = [Thread(target=self._work, args=(copy, runs, say)) for copy in copies]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()

    def _work(self, copy: Copy, runs: SimpleQueue[tuple[str, list[str]]], say: Callable[[str], None]) -> None:
        site = _install(copy, self._first)
        while True:
            try:
                project, paths = runs.get_nowait()
            except Empty:
                break
            say(f"recording {paths[0]} and {len(paths) - 1} more")
            self._keep(project, paths, _recorded(copy, project, paths))
        for path in site.glob("mutants_*"):
            path.unlink()

    def _keep(self, project: str, paths: list[str], tests: list[dict[str, object]]) -> None:
        prefix = "" if project == "." else f"{project}/"
        for path in paths:
            own = [test for test in tests if prefix + str(test["id"]).partition("::")[0] == path]
            entry = {"project": project, "file": path, "hash": _digest([path]), "tests": own}
            with self._lock:
                self._files[path] = entry
                with self._path.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(entry) + "\n")

    def tests_of(self, lines: Iterable[tuple[str, int]]) -> Mapping[tuple[str, int], list[Test]]:
        """The tests that run each of some lines."""
        wanted = {(path, line): self._first[path] + line - 1 for path, line in lines}
        found: dict[tuple[str, int], list[Test]] = defaultdict(list)
        for one, packed in self._recorded():
            recorded = zlib.decompress(base64.b64decode(packed))
            for place, position in wanted.items():
                if recorded[position]:
                    found[place].append(one)
        return found

    def tests(self) -> list[Test]:
        """All tests that pass."""
        return [test for test, _ in self._recorded()]

    def _recorded(self) -> Iterator[tuple[Test, str]]:
        used = {path for _, path in self._tests}
        for entry in (one for file, one in self._files.items() if file in used):
            for test in entry["tests"]:
                if test["ok"]:
                    yield Test(entry["project"], test["id"], test["seconds"]), test["lines"]


def _install(copy: Copy, first: Mapping[str, int]) -> Path:
    """Put the recorder into the copy's environment."""
    (site,) = (copy.root / ".venv").glob("lib/python*/site-packages")
    (site / "mutants_recorder.py").write_text((HERE / "recorder.py").read_text("utf-8"), "utf-8")
    (site / "mutants_recording.py").write_text((HERE / "recording_plugin.py").read_text("utf-8"), "utf-8")
    (site / "mutants_index.txt").write_text("".join(f"{n}\t{copy.root / path}\n" for path, n in first.items()), "utf-8")
    last = max(first.values()) + 1_000
    (site / "mutants_lines.bin").write_bytes(bytes(last))
    (site / "mutants_recorder.pth").write_text("import mutants_recorder\n", "utf-8")
    return site


def _recorded(copy: Copy, project: str, paths: list[str]) -> list[dict[str, object]]:
    out = copy.root.parent / "recorded.jsonl"
    out.unlink(missing_ok=True)
    command = pytest_command(copy, project, "--maxfail=0", "-p", "mutants_recording", *paths)
    environment = {**copy.environment(), "MUTANTS_OUT": str(out)}
    log = copy.root.parent / "recorded.log"
    with log.open("a", encoding="utf-8") as output:
        subprocess.run(
            command, cwd=copy.root, env=environment, stdout=output, stderr=output, timeout=RUN_LIMIT_S, check=False
        )
    return [json.loads(line) for line in out.read_text("utf-8").splitlines()] if out.exists() else []
