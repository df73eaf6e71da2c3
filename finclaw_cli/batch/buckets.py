"""Token buckets that all processes of a machine share: how many requests and tokens a minute a server allows.

A bucket has a level for each kind of limit, kept as the moment at which it is full again. It holds at most what
`CAPACITY_MS` of the limit are, so that no minute has more than the limit and that. What is larger than the capacity is
taken from a full bucket, and owed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, Protocol

from finclaw_cli.batch.limits import Kind, Reported
from finclaw_cli.core.record import record

CAPACITY_MS: Final = 2_000
LONGEST_LOOK_MS: Final = 500
"""A taker that waits looks again at least so often."""
PROBE_MS: Final = 30_000
"""How long the answer to the first request after a pause is waited for before another one is made."""
INTERACTIVE: Final = 0
OF_BATCH: Final = 1


@record(kw_only=True)
class Taker:
    """One that takes from buckets: those of a lower rank first, else in turns."""

    id: str
    rank: int = OF_BATCH


@record(kw_only=True)
class Need:
    """What a request takes, or is expected to take."""

    requests: int = 1
    input: int = 0
    output: int = 0
    cached: int = 0
    """Input that counts for the limit of all tokens only."""


@record(kw_only=True)
class Taken:
    """A request may be made."""

    need: Need
    is_limited: bool = True
    """Whether a limit is known."""
    probe: int = 0
    """Not 0 for the first request after a pause, which all others wait for."""


@record(kw_only=True)
class Wait:
    """A request may not be made yet."""

    look_again_s: float
    blocked_s: float
    """How long the server is left alone, which refused requests; not more than 0 where it is not."""


class Buckets(Protocol):
    """The buckets of all servers, by their ids.

    Every method raises `QueueFailed` where they cannot be used.
    """

    async def choose(self, bucket: str, limits: Mapping[Kind, int]) -> bool:
        """Set the limits that the settings have; whether any is known by now."""
        ...

    async def take(self, bucket: str, taker: Taker, need: Need) -> Taken | Wait:
        """Take what a request needs, whole or not at all."""
        ...

    async def settle(self, bucket: str, taken: Taken, used: Need) -> None:
        """Put what a request took in place of what was expected."""
        ...

    async def correct(self, bucket: str, reports: Sequence[Reported]) -> None:
        """Set what a server reports of limits, and lower the levels to what it has left."""
        ...

    async def block(self, bucket: str, seconds: float, probe: int) -> None:
        """Let no request be made for so long, and then one alone first; `probe` is that of the one that was refused."""
        ...

    async def reopen(self, bucket: str, probe: int, *, is_answered: bool) -> None:
        """Let others follow the first request after a pause; where it had no answer, another one goes first."""
        ...
