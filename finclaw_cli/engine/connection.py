"""A model that can be asked."""

from __future__ import annotations

from collections.abc import Callable

from finclaw_cli.core.ports import Provider
from finclaw_cli.core.record import record
from finclaw_cli.core.usage import Tier
from finclaw_cli.engine.lanes import Gate
from finclaw_cli.engine.pacing import UNPACED, Pacer
from finclaw_cli.engine.request import ModelRef


@record(kw_only=True)
class Connection:
    """A model, who speaks for it, and the gate that all its requests pass."""

    ref: ModelRef
    provider: Provider
    gate: Gate
    pacer: Pacer = UNPACED
    tier: Tier = "standard"
    """Of all its requests."""
    key_variable: str | None = None
    """The variable that holds the key, which a message about a refused key names."""
    scripted: bool = False
    """Whether its words come from a script: it takes no tokens but those of the script."""

    @property
    def takes_what_it_reports(self) -> bool:
        """Whether a request takes nothing but what its answer reports; that of a batch is taken up after a cut."""
        return self.scripted or self.tier == "batch"


Connect = Callable[[ModelRef], Connection]
