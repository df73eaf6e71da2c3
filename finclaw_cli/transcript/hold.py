"""Several holders of one thing in a process, which is released with the last of them."""

from __future__ import annotations

from collections.abc import Callable


class Hold:
    """One holder of something that was acquired once; made again by `again`, for as many holders as there are."""

    def __init__(self, release: Callable[[], object], holders: set[Hold] | None = None) -> None:
        self._release = release
        self._holders = holders if holders is not None else set()
        self._holders.add(self)

    def again(self) -> Hold:
        """Another holder of the same.

        Raises:
            RuntimeError: this one has let go, and so it may be released.
        """
        if self not in self._holders:
            raise RuntimeError("it is not held any more")
        return Hold(self._release, self._holders)

    def close(self) -> None:
        """Let go, in whatever order; the last one releases it. A second call does nothing."""
        if self in self._holders:
            self._holders.remove(self)
            if not self._holders:
                self._release()
