"""Build the sdists and wheels of finclaw, its plugins and the application, and check what is in them.

python .ci/build.py FOLDER    build them there

A wheel holds no tests, and holds the licence. The wheel that is built from the sdist is the same to the byte.
"""

from __future__ import annotations

import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
DISTRIBUTIONS = [ROOT, ROOT / "meta", *sorted((ROOT / "plugins").glob("finclaw-*"))]


def build(project: Path, folder: Path, *targets: str) -> list[Path]:
    """Build an sdist, a wheel or both; return the files in the order of the targets."""
    options = [f"--target={target}" for target in targets]
    command = [sys.executable, "-m", "hatchling", "build", "--directory", str(folder), *options]
    done = subprocess.run(
        command, cwd=project, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    if done.returncode != 0:
        sys.exit(f"{project.name}: {done.stdout}")
    return [Path(line) for line in done.stdout.splitlines() if line.startswith("/")]


def rebuilt(sdist: Path, folder: Path) -> Path:
    """The wheel that is built from an sdist."""
    with tarfile.open(sdist) as archive:
        # Python 3.11.4 has brought filters: files that lead out of the folder are refused.
        archive.extraction_filter = getattr(tarfile, "data_filter", lambda member, _: member)
        archive.extractall(folder)  # noqa: S202 - see above
    (wheel,) = build(folder / sdist.name.removesuffix(".tar.gz"), folder / "wheel", "wheel")
    return wheel


def problems(sdist: Path, wheel: Path) -> list[str]:
    """What is wrong with a distribution."""
    names = zipfile.ZipFile(wheel).namelist()
    found = [f"{name} is in the wheel" for name in names if "tests/" in name or Path(name).name.startswith("test_")]
    if not any(name.endswith(".dist-info/licenses/LICENSE") for name in names):
        found.append("the wheel has no LICENSE")
    with tempfile.TemporaryDirectory() as folder:
        if rebuilt(sdist, Path(folder)).read_bytes() != wheel.read_bytes():
            found.append("the sdist builds another wheel")
    return found


def main() -> int:
    """Build all of them and report what is wrong."""
    if len(sys.argv) != 2:  # noqa: PLR2004 - one argument
        print(__doc__, file=sys.stderr)
        return 2
    failed = False
    for project in DISTRIBUTIONS:
        sdist, wheel = build(project, Path(sys.argv[1]).resolve(), "sdist", "wheel")
        found = problems(sdist, wheel)
        failed = failed or bool(found)
        print(f"{wheel.name}: {'; '.join(found) or 'ok'}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
