"""Changing the user's settings file: one process at a time, checked before it is written, whole or not at all."""

from __future__ import annotations

import codecs
import os
import stat
import tomllib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from finclaw_cli.core.checked import WrongValue, checked
from finclaw_cli.core.errors import UsageError
from finclaw_cli.core.file_locks import locked
from finclaw_cli.core.files import private_folder, written_aside
from finclaw_cli.core.record import record
from finclaw_cli.settings.load import parsed, read_file
from finclaw_cli.settings.model import Settings
from finclaw_cli.settings.paths import home, user_file

SETTINGS = "settings"
PRIVATE = 0o600


@record
class SettingsFile:
    """The user's settings file, locked against other processes of finclaw."""

    path: Path
    text: str
    """Nothing where there is no file yet."""

    def tables(self) -> dict[str, Any]:
        """The content of the file.

        Raises:
            UsageError: it is not TOML.
        """
        return parsed(self.text, self.path)

    def replace(self, text: str) -> None:
        """Put another text into it. Its mode stays; a link stays one, and what it leads to is replaced.

        Raises:
            UsageError: the text is no settings file or cannot be written, or another program has changed the file
                since it was read; then all is as it was.
        """
        try:
            checked(Settings, tomllib.loads(text))
        except WrongValue as error:
            raise UsageError(f"{'.'.join(error.where)}: {error.message}") from error
        if (read_file(self.path) or "") != self.text:
            raise UsageError(f"{self.path}: another program has changed it; try again")
        try:
            self._write(text)
        except OSError as error:
            raise UsageError(f"{self.path}: cannot be written: {error.strerror}") from error

    def _write(self, text: str) -> None:
        private_folder(self.path.parent)
        target = self.path.resolve()
        mark, mode = b"", PRIVATE
        if target.exists():
            if not os.access(target, os.W_OK):  # it was made read-only on purpose
                raise PermissionError(13, "it is read-only")
            mode = stat.S_IMODE(target.stat().st_mode)
            with target.open("rb") as file:
                mark = codecs.BOM_UTF8 if file.read(len(codecs.BOM_UTF8)) == codecs.BOM_UTF8 else b""
        with written_aside(target) as (file, part):
            file.write(mark + text.encode())
            file.flush()
            os.fsync(file.fileno())
            part.chmod(mode)
            part.replace(target)


@contextmanager
def settings_to_change() -> Iterator[SettingsFile]:
    """The user's settings file, for as long as it is being changed.

    Raises:
        UsageError: it cannot be read, or another process is changing it.
    """
    path = user_file()
    with ExitStack() as held:
        try:
            held.enter_context(locked(private_folder(home()) / SETTINGS))
        except TimeoutError:
            raise UsageError(f"{path}: another process is changing it") from None
        except OSError as error:
            raise UsageError(f"{home()}: cannot be written: {error.strerror}") from error
        yield SettingsFile(path, read_file(path) or "")
