"""The two ways to a server, which nobody may be able to tell apart."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, get_args

from finclaw_cli.providers.config import ProviderConfig, TransportName

TRANSPORTS: tuple[TransportName, ...] = get_args(TransportName)
Configure = Callable[..., ProviderConfig]
Way = Literal["straight", "behind a proxy"]
