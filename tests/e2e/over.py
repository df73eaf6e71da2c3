"""The command over one transport or the other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields

from finclaw_cli.providers.config import TransportName
from tests.e2e.harness import Finclaw


@dataclass(frozen=True)
class Over(Finclaw):
    """Every run reaches its provider by this transport."""

    transport: TransportName = "direct"

    def env(self, extra: Mapping[str, str] | None = None) -> dict[str, str]:
        return super().env({"FINCLAW_TRANSPORT": self.transport, **(extra or {})})


def over(transport: TransportName, finclaw: Finclaw) -> Over:
    given = {field.name: getattr(finclaw, field.name) for field in fields(Finclaw)}
    return Over(**given, transport=transport)
