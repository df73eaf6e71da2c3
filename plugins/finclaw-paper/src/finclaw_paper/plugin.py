"""The entry point: what finclaw gets from this distribution."""

from __future__ import annotations

from collections.abc import Sequence

from finclaw_cli.sdk import hookimpl


@hookimpl
def finclaw_tools() -> Sequence[object]:
    """The tools of the broker, the reading ones first."""
    from finclaw_paper.reading import get_account, get_positions, list_orders, reconcile
    from finclaw_paper.trading import cancel_order, place_order, preview_order

    return [get_account, get_positions, list_orders, preview_order, place_order, cancel_order, reconcile]
