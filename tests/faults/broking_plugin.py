"""Tools that order at a broker on loopback: one for each combination of `idempotent`, `reconcile`, `requires_approval`."""

from __future__ import annotations

import http.client
import json
import os
from itertools import product
from urllib.parse import urlsplit

from finclaw_cli.sdk import OutcomeUnknown, Reconciled, ToolContext, ToolError, hookimpl, tool

ANSWER_S = float(os.environ.get("BROKER_ANSWER_S", "0.2"))
"""How long an answer of the broker may take."""
KNOWN_AFTER_S = 1.5
"""After this time the broker knows an order, or never will."""


def _ask(method: str, path: str, body: str | None = None) -> tuple[int, dict[str, object]]:
    connection = http.client.HTTPConnection(urlsplit(os.environ["BROKER_URL"]).netloc, timeout=ANSWER_S)
    try:
        connection.request(method, path, body, {"Content-Type": "application/json"})
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read())
    finally:
        connection.close()


async def became_of(key: str, ctx: ToolContext) -> Reconciled:
    """Ask the broker for the order of that key."""
    try:
        status, order = _ask("GET", f"/orders/{key}")
    except (OSError, http.client.HTTPException):
        return Reconciled(state="unknown")
    return Reconciled(state="done", content=order) if status == 200 else Reconciled(state="not_found")


def order_tool(*, idempotent: bool, reconciles: bool, requires_approval: bool) -> object:
    """The tool of these flags; its name says which."""
    flags = {"idempotent": idempotent, "reconcile": reconciles, "approval": requires_approval}
    name = "_".join(["order", *(flag for flag, is_set in flags.items() if is_set)])

    @tool(
        name=name,
        group="finance",
        transactional=True,
        idempotent=idempotent,
        requires_approval=requires_approval,
        reconcile=became_of if reconciles else None,
        reconcile_after=KNOWN_AFTER_S,
    )
    def order(symbol: str, ctx: ToolContext) -> object:
        """Order.

        Args:
            symbol: ticker.
        """
        try:
            status, answer = _ask("POST", "/orders", json.dumps({"key": ctx.idempotency_key, "symbol": symbol}))
        except TimeoutError:
            raise  # an error that the author did not think of
        except (OSError, http.client.HTTPException) as error:
            raise OutcomeUnknown(f"the answer was lost: {type(error).__name__}") from None
        if status == 422:
            raise ToolError(f"refused: {answer['error']}")
        return answer

    return order


COMBINATIONS = tuple(product((False, True), repeat=3))
TOOLS = {
    combination: order_tool(idempotent=combination[0], reconciles=combination[1], requires_approval=combination[2])
    for combination in COMBINATIONS
}


@hookimpl
def finclaw_tools() -> list[object]:
    return list(TOOLS.values())
