"""What an adapter needs to know to reach its server."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderConfig:
    """Key and address of one provider. The key never shows in a `repr`, and so in no traceback or log."""

    api_key: str | None = field(default=None, repr=False)
    base_url: str | None = None
    connect_timeout_s: float = 10.0
