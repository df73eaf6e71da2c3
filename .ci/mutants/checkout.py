"""A copy of the checkout with an environment of its own, in which everything is imported from the copy."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib.util import cache_from_source
from pathlib import Path

ROOT = Path(__file__).parents[2]
REWRITTEN = ("bin/*", "pyvenv.cfg", "lib/python*/site-packages/*.pth", "lib/python*/site-packages/*/direct_url.json")
WHERE = "import {modules}\nfor one in ({modules},): print(one.__file__)"


@dataclass(frozen=True)
class Copy:
    """Where a mutant is written, and the Python that runs it."""

    root: Path
    python: str

    def environment(self) -> dict[str, str]:
        """The variables for tests, with a folder of the copy for temporary files."""
        folder = self.root.parent / "t"
        folder.mkdir(exist_ok=True)
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "FINCLAW_"))}
        return {**kept, "TMPDIR": str(folder)}

    def write(self, path: str, text: str) -> None:
        """Write a source; what is compiled of the one before is removed, as times and sizes could be the same."""
        file = self.root / path
        file.write_text(text, "utf-8")
        Path(cache_from_source(str(file))).unlink(missing_ok=True)

    def processes(self) -> Iterator[int]:
        """The processes that still run in the copy's environment."""
        mark = os.fsencode(self.root) + b"/"
        for path in Path("/proc").glob("[0-9]*/cmdline"):
            try:
                if path.read_bytes().startswith(mark):
                    yield int(path.parent.name)
            except OSError:
                continue


def sources() -> list[str]:
    """The modules that are mutated."""
    folders = [ROOT / "finclaw_cli", *sorted(ROOT.glob("plugins/*/src"))]
    return [str(path.relative_to(ROOT)) for folder in folders for path in sorted(folder.rglob("*.py"))]


def _files() -> list[str]:
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return [name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()]


def _link(source: str, target: str) -> None:
    try:
        os.link(source, target)
    except OSError:  # another file system
        shutil.copy2(source, target)


def _rewrite(environment: Path, replaced: Iterable[tuple[str, str]]) -> None:
    """Name the copy wherever the environment names the checkout; its files are links and stay as they are."""
    for pattern in REWRITTEN:
        for path in environment.glob(pattern):
            if path.is_symlink() or not path.is_file():
                continue
            try:
                text = before = path.read_text("utf-8")
            except UnicodeDecodeError:
                continue
            for old, new in replaced:
                text = text.replace(old, new)
            if text != before:
                mode = path.stat().st_mode
                path.unlink()
                path.write_text(text, "utf-8")
                path.chmod(mode)


def copied(folder: Path) -> Copy:
    """Copy the checkout and the environment of this process, and see that the copy is what is imported."""
    if sys.prefix == sys.base_prefix:
        sys.exit("mutants: run me with the Python of a virtual environment in which finclaw is installed with -e")
    root = folder / "c"
    for name in _files():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, root / name)
    environment = root / ".venv"
    shutil.copytree(sys.prefix, environment, symlinks=True, copy_function=_link)
    _rewrite(environment, ((sys.prefix, str(environment)), (str(ROOT), str(root))))
    copy = Copy(root, str(environment / "bin" / "python"))
    _verify(copy)
    return copy


def _verify(copy: Copy) -> None:
    modules = [
        "finclaw_cli",
        *sorted(path.name for path in ROOT.glob("plugins/*/src/*") if (path / "__init__.py").exists()),
    ]
    program = WHERE.format(modules=", ".join(modules))
    command = [copy.python, "-c", program]
    done = subprocess.run(
        command, cwd=copy.root.parent, env=copy.environment(), capture_output=True, text=True, check=False
    )
    found = done.stdout.splitlines()
    if len(found) != len(modules) or not all(Path(path).is_relative_to(copy.root) for path in found):
        sys.exit(f"mutants: the copy is not what is imported: {done.stdout}{done.stderr}")
