"""What is installed, looked at once for all runs of a server, and again when something of it has changed."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from finclaw_cli.app.inventory import MANIFESTS
from finclaw_cli.app.plan import Installed, find_installed
from finclaw_cli.core.environment import environment
from finclaw_cli.core.errors import FinclawError
from finclaw_cli.plugin_host.trust import TRUST
from finclaw_cli.settings.load import load_settings
from finclaw_cli.settings.model import Settings
from finclaw_cli.settings.paths import home, skill_folders


class SharedInstalled:
    """Finds what is installed, as `find_installed` does.

    Looking at each plugin takes most of the time in which a run begins. What was found holds while the settings about
    plugins and servers, the list of trusted plugins, the manifests and the folders of packages are the same. Whether a
    plugin is still trusted is looked at again wherever its code is used.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._found: tuple[object, Installed] | None = None

    def __call__(self, settings: Settings, *, use_plugins: bool, report: Callable[[str], None]) -> Installed:
        """The inventory and the providers of models; see `find_installed`."""
        with self._lock:
            if self._found is None or self._found[0] != _state(settings):
                installed = find_installed(settings, use_plugins=use_plugins, report=report)
                self._found = _state(settings), installed  # looking may have written manifests
            return self._found[1]

    def prepare(self, report: Callable[[str], None]) -> None:
        """Look at what is installed before the first run asks for it, which reports what is wrong with the settings."""
        with suppress(FinclawError):
            self(load_settings().settings, use_plugins=True, report=report)


def _state(settings: Settings) -> object:
    folders = skill_folders(environment().workspace)
    files = (home() / TRUST, home() / MANIFESTS, *map(Path, sys.path))
    return (
        settings.plugins, settings.tool, settings.providers, settings.aliases, settings.probe_timeout,
        [str(folder) for folder in folders], [_stamp(path) for path in files],
    )  # fmt: skip


def _stamp(path: Path) -> tuple[int, int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino
