"""Loaders of modules that execute bytes with a known digest, and no others."""

from __future__ import annotations

import marshal
import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from hashlib import sha256
from importlib.machinery import (
    BYTECODE_SUFFIXES,
    EXTENSION_SUFFIXES,
    SOURCE_SUFFIXES,
    ExtensionFileLoader,
    ModuleSpec,
    SourceFileLoader,
    SourcelessFileLoader,
)
from importlib.util import MAGIC_NUMBER
from pathlib import Path
from types import CodeType, ModuleType

from finclaw_cli.core.files import private_folder, read_regular, replace_file
from finclaw_cli.plugin_host.pins import MAX_FILE_BYTES, MISSING, Pins

_LIBRARY_SUFFIXES = frozenset({".so", ".dylib"})
PinnedLoader = SourceFileLoader | SourcelessFileLoader | ExtensionFileLoader


def pinned_loader(name: str, path: str, pins: Pins, private: Path) -> PinnedLoader:
    """The loader of a module in a pinned file.

    Args:
        name: the module's.
        path: the file.
        pins: what the file is compared with.
        private: where compiled modules and copies of libraries are kept.

    Raises:
        ImportError: the file is none that Python imports.
    """
    if path.endswith(tuple(SOURCE_SUFFIXES)):
        return _Source(name, path, pins.digests[path], private)
    if path.endswith(tuple(BYTECODE_SUFFIXES)):
        return _Bytecode(name, path, pins.digests[path])
    if path.endswith(tuple(EXTENSION_SUFFIXES)):
        return _Extension(name, path, pins.digests, private)
    raise ImportError(f"{path} is no file of a module", name=name)


def _pinned_bytes(path: str, digest: bytes) -> bytes:
    """The content of a file.

    Raises:
        ImportError: it is not what was pinned.
    """
    data = read_regular(Path(path), MAX_FILE_BYTES)
    if sha256(data).digest() != digest:
        raise ImportError(f"{path} was changed since the plugin was looked at")
    return data


class _Source(SourceFileLoader):
    """Compiles pinned bytes, and keeps the bytecode with their digest."""

    def __init__(self, fullname: str, path: str, digest: bytes, private: Path) -> None:
        super().__init__(fullname, path)
        self._head = MAGIC_NUMBER + digest
        self._digest = digest
        key = f"{sys.implementation.cache_tag} {sys.flags.optimize} {path}"
        self._kept = private / f"{sha256(key.encode('utf-8', 'surrogateescape')).hexdigest()}.code"

    def get_data(self, path: str) -> bytes:
        return _pinned_bytes(path, self._digest) if path == self.path else super().get_data(path)

    def get_code(self, fullname: str) -> CodeType | None:  # noqa: ARG002 - as the loader of Python has it
        with suppress(OSError, ValueError, EOFError, TypeError):
            kept = self._kept.read_bytes()
            if kept.startswith(self._head):
                return self._code(kept)
        code = self.source_to_code(self.get_data(self.path), self.path)
        with suppress(OSError):
            private_folder(self._kept.parent)
            replace_file(self._kept, self._head + marshal.dumps(code))
        return code

    def _code(self, kept: bytes) -> CodeType:
        code = marshal.loads(kept[len(self._head) :])  # noqa: S302 - from a folder that only the user can write
        if not isinstance(code, CodeType):
            raise TypeError("not a code object")
        return code


class _Bytecode(SourcelessFileLoader):
    """Executes pinned bytecode without a source."""

    def __init__(self, fullname: str, path: str, digest: bytes) -> None:
        super().__init__(fullname, path)
        self._digest = digest

    def get_data(self, path: str) -> bytes:
        return _pinned_bytes(path, self._digest) if path == self.path else super().get_data(path)


class _Extension(ExtensionFileLoader):
    """Loads an extension module from a private copy of the pinned libraries of its distribution.

    All libraries are copied, each at its path, since the system's loader finds those that a module needs by their paths
    relative to it.
    """

    def __init__(self, name: str, path: str, digests: Mapping[str, bytes], private: Path) -> None:
        super().__init__(name, path)
        self._digests = {it: digest for it, digest in digests.items() if _is_library(it) and digest != MISSING}
        key = sha256(b"".join([*map(os.fsencode, self._digests), *self._digests.values()])).hexdigest()
        self._folder = private / key

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        for path, digest in self._digests.items():
            self._copy(path, digest)
        module = super().create_module(ModuleSpec(spec.name, self, origin=str(self._place(self.path))))
        module.__file__ = self.path
        return module

    def _place(self, path: str) -> Path:
        return self._folder / Path(path).relative_to(Path(path).anchor)

    def _copy(self, path: str, digest: bytes) -> None:
        place = self._place(path)
        with suppress(OSError, ImportError):
            _pinned_bytes(str(place), digest)
            return
        data = _pinned_bytes(path, digest)
        private_folder(place.parent)
        replace_file(place, data)


def _is_library(path: str) -> bool:
    return not _LIBRARY_SUFFIXES.isdisjoint(Path(path).suffixes)
