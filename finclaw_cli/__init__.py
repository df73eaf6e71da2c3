"""finclaw: a finance agent for the command line and for Python."""

import sys

NOT_ON_WINDOWS = "finclaw runs on Linux and macOS; on Windows, install and run it in WSL (wsl --install)"

__version__ = "0.2.0"


def __getattr__(name: str) -> object:
    """Import `Agent`, `Batch` and their companions when they are first used: the command line starts without them."""
    if sys.platform == "win32":
        raise ImportError(NOT_ON_WINDOWS)
    from importlib import import_module

    for package in ("finclaw_cli.agent", "finclaw_cli.batch"):
        public = import_module(package)
        if name in public.__all__:
            return getattr(public, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
