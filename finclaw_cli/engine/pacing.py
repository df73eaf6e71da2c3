"""Rate limits of model servers: a request waits for its turn before it takes a connection, or money."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import dataclass
from typing import Protocol

from finclaw_cli.core.usage import Usage
from finclaw_cli.providers.config import ProviderConfig


@dataclass(slots=True)
class PacedRequest:
    """A request that may be made."""

    usage: Usage | None = None
    """What it took, once it has ended; None where it was not made."""


class Pacer(Protocol):
    """The rate limits of one provider and key."""

    def admitted(self, model: str, input_tokens: int) -> AbstractAsyncContextManager[PacedRequest]:
        """Wait until a request may be made, with about so many tokens, and make it in the block."""
        ...

    def answered(self, model: str, headers: Mapping[str, str], after_s: float) -> None:
        """Take the headers of an answer, which came so many seconds after its request was sent; must not raise."""
        ...


class Pacing(Protocol):
    """Rate limits by provider and key."""

    def pacer(self, provider: str, config: ProviderConfig) -> Pacer: ...


class Unpaced:
    """No limits."""

    def admitted(self, model: str, input_tokens: int) -> AbstractAsyncContextManager[PacedRequest]:  # noqa: ARG002
        return nullcontext(PacedRequest())

    def answered(self, model: str, headers: Mapping[str, str], after_s: float) -> None:
        """No limit is known or wanted."""

    def pacer(self, provider: str, config: ProviderConfig) -> Pacer:  # noqa: ARG002
        return self


UNPACED = Unpaced()
