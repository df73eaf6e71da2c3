"""A fresh virtual environment that sees everything installed in this one: quick to make, and works offline."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import venv
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

SCRIPTS = {
    "pip": "from pip._internal.cli.main import main",
    "pytest": "from pytest import console_main as main",
    "finclaw": "from finclaw_cli.__main__ import main",
}


@dataclass(frozen=True)
class Environment:
    """Where to install plugins, and what to run them with."""

    folder: Path
    home: Path

    @property
    def python(self) -> str:
        return str(self.folder / "bin" / "python")

    @property
    def site(self) -> Path:
        """Where its own packages are."""
        return Path(sysconfig.get_path("purelib", vars={"base": str(self.folder)}))

    def variables(self, extra: Mapping[str, str] | None = None) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if name in {"LANG", "TMPDIR"}}
        return {
            **kept,
            "PATH": os.pathsep.join([str(self.folder / "bin"), os.environ["PATH"]]),
            "HOME": str(self.home),
            "FINCLAW_HOME": str(self.home),
            "PIP_NO_INDEX": "1",
            "PIP_NO_BUILD_ISOLATION": "0",  # pip reads it the wrong way round: 0 switches the isolation off
            "PIP_DISABLE_PIP_VERSION_CHECK": "1",
            "PIP_NO_CACHE_DIR": "1",
            **(extra or {}),
        }

    def shell(
        self, command: str, cwd: Path, extra: Mapping[str, str] | None = None, timeout: float = 60
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["bash", "-c", command],
            cwd=cwd,
            env=self.variables(extra),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=timeout,
            check=False,
        )


def make_environment(folder: Path) -> Environment:
    venv.create(folder / "venv", symlinks=True, with_pip=False)
    made = Environment(folder / "venv", folder / "home")
    made.home.mkdir()
    ours = sorted({path for path in sys.path if path.endswith(("site-packages", "dist-packages"))})
    # As site folders, not as mere paths: what is installed editable here has .pth files of its own.
    lines = [f"import site; site.addsitedir({path!r})" for path in ours]
    (made.site / "parent.pth").write_text("\n".join(lines) + "\n")
    for name, statement in SCRIPTS.items():
        script = made.folder / "bin" / name
        script.write_text(f"#!{made.python}\nimport sys\n{statement}\nsys.exit(main())\n")
        script.chmod(0o755)
    return made
