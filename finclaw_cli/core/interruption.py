"""What finclaw itself raises to end work from outside, and what becomes of other things that a plugin raises."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


class Interruption(BaseException):
    """Finclaw ends the work that runs: a signal came, or a call was ended."""


class PluginExit(Exception):
    """A plugin raised what is not an `Exception`: it exited, interrupted or cancelled."""


@contextmanager
def plugin_code() -> Iterator[None]:
    """Run code of a plugin; whatever it raises is an `Exception` outside.

    Raises:
        Exception: as the plugin raised it.
        PluginExit: the plugin raised another `BaseException`.
        Interruption: finclaw ends the work.
    """
    try:
        yield
    except (Exception, Interruption):
        raise
    except BaseException as error:
        raise PluginExit(f"it raised {type(error).__name__}") from error
