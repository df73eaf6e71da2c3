"""finclaw: a finance agent for the command line and for Python."""

__version__ = "0.1.0"


def __getattr__(name: str) -> object:
    """Import `Agent` and its companions when they are first used: the command line starts without them."""
    from importlib import import_module

    public = import_module("finclaw_cli.agent")
    if name in public.__all__:
        return getattr(public, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
