"""The environment, and on Linux the sandbox, of a process that imports a plugin to learn what it offers.

The process gets no secret: of the environment only names that cannot hold one, an empty home folder, and where
bubblewrap can be used no network and no files but those of the system, of Python and of the path of imports.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from importlib.machinery import all_suffixes
from pathlib import Path

PROGRAM = "bwrap"
TRIAL_S = 5.0
SANDBOX_HOME = "/tmp/home"  # noqa: S108 - in the sandbox's own memory
MAX_HOME_BYTES = 256 * 1024 * 1024
# The variables that Python and its libraries need, none of which may hold a secret.
_KEPT = frozenset(
    {
        "COVERAGE_PROCESS_START",
        "LANG",
        "LANGUAGE",
        "LD_LIBRARY_PATH",
        "PATH",
        "PYTHONDONTWRITEBYTECODE",
        "PYTHONHOME",
        "PYTHONPATH",
        "PYTHONPROFILEIMPORTTIME",
        "PYTHONUTF8",
        "PYTHONWARNINGS",
        "TZ",
        "VIRTUAL_ENV",
    }
)
_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/gnu/store")
_IMPORTABLE = frozenset({".pth", ".dist-info", ".egg-info", *all_suffixes()})
_ETC = ("alternatives", "group", "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "localtime", "passwd", "timezone")


def environment(home: str, ours: Mapping[str, str] = os.environ) -> dict[str, str]:
    """The whole environment of the process; `home` is an empty folder of its own."""
    kept = {name: value for name, value in ours.items() if name in _KEPT or name.startswith("LC_")}
    if path := kept.get("PYTHONPATH"):  # the process starts in another folder
        kept["PYTHONPATH"] = os.pathsep.join(str(Path(part).absolute()) for part in path.split(os.pathsep) if part)
    ours_alone = {"FINCLAW_HOME": f"{home}/finclaw", "PYDANTIC_DISABLE_PLUGINS": "__all__"}
    return {**kept, **ours_alone, "HOME": home, "TMPDIR": home}


def confined(command: Sequence[str], readable: Sequence[str] = ()) -> list[str] | None:
    """The command in a sandbox, whose home is `SANDBOX_HOME`; None where there is no sandbox.

    Args:
        command: the program and its arguments.
        readable: folders whose modules it imports, beside those of the path of imports.
    """
    words = list(_bubblewrap())
    if not words:
        return None
    imported_from = [Path(folder).absolute() for folder in [*readable, *filter(None, sys.path)]]
    modules = [path for folder in dict.fromkeys(imported_from) for path in _importable(folder)]
    for folder in _outermost([*_of_python(), *modules]):
        words += ["--ro-bind-try", folder, folder]
    return [*words, "--remount-ro", "/", "--chdir", SANDBOX_HOME, "--", *command]


def is_confined() -> bool:
    """Whether there is a sandbox on this machine."""
    return bool(_bubblewrap())


@cache
def _bubblewrap() -> tuple[str, ...]:
    """The command line of bubblewrap; empty where it does not work, as in many containers."""
    program = shutil.which(PROGRAM)
    if program is None:
        return ()
    for size in (("--size", str(MAX_HOME_BYTES)), ()):  # which old versions do not know
        words = (*_words(program), *size, "--tmpfs", "/tmp", "--dir", SANDBOX_HOME)  # noqa: S108 - the sandbox's own
        try:
            done = subprocess.run(  # noqa: S603 - the user's own program
                [*words, "--", "true"], env={"PATH": os.environ.get("PATH", "")}, capture_output=True,
                timeout=TRIAL_S, check=False,
            )  # fmt: skip
        except (OSError, subprocess.TimeoutExpired):
            return ()
        if done.returncode == 0:
            return words
    return ()


def _words(program: str) -> list[str]:
    words = [program, "--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL"]
    for folder in _SYSTEM:
        if Path(folder).is_symlink():
            words += ["--symlink", str(Path(folder).readlink()), folder]
        else:
            words += ["--ro-bind-try", folder, folder]
    for name in _ETC:
        words += ["--ro-bind-try", f"/etc/{name}", f"/etc/{name}"]
    return [*words, "--proc", "/proc", "--dev", "/dev"]


def _of_python() -> Iterator[str]:
    yield from (sys.prefix, sys.base_prefix, sys.exec_prefix)
    yield from (sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib"))
    yield from (str(Path(sys.executable).parent), str(Path(sys.executable).resolve().parent))
    yield str(Path(__file__).resolve().parents[1])


def _importable(folder: Path) -> Iterator[str]:
    """The importable files in a folder on the path of imports, and the metadata of distributions in it.

    The folder may have other files too, such as a home folder. A link in it counts as its target, and only in the same
    folder: a sandbox would show the target under the name of the link.
    """
    real = Path(os.path.realpath(folder))
    prefixes = (os.path.realpath(prefix) for prefix in (sys.prefix, sys.base_prefix))
    is_of_packages = any(map(real.is_relative_to, prefixes)) or real.name in {"site-packages", "dist-packages"}
    if is_of_packages or not folder.is_dir():
        yield str(folder)
        return
    with suppress(OSError):  # without permission to list it
        for path in folder.iterdir():
            target = Path(os.path.realpath(path))
            if _is_importable(path) and target.parent == real and _is_importable(target):
                yield str(path)


def _is_importable(path: Path) -> bool:
    is_package = path.name.isidentifier() and (path / "__init__.py").exists()
    return is_package or path.suffix in _IMPORTABLE


def _outermost(folders: Sequence[str]) -> list[str]:
    """The folders that exist, outer ones before those inside them; the system's own are there already."""
    found = {str(Path(folder).absolute()) for folder in folders}
    return sorted(
        folder
        for folder in found
        if folder != "/" and Path(folder).exists() and not folder.startswith(tuple(f"{top}/" for top in _SYSTEM))
    )
