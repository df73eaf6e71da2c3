"""The errors of this broker: a code first, then what happened, then whether anything was placed."""

from __future__ import annotations

from finclaw_cli.sdk import ToolError

_MAX_QUOTED = 200


def refused(why: str, *, code: str = "ORDER_REFUSED") -> ToolError:
    """The order is not taken, and the books are as they were."""
    return ToolError(f"{code}: {why.rstrip('.')}. Nothing was placed.")


class AlreadyPlaced(ToolError):
    """The broker has the order of this id; the call that placed it is answered with it, and nothing is placed."""

    def __init__(self, client_order_id: str, status: str) -> None:
        super().__init__(
            f"the order {client_order_id} is {status}; the call is answered with it, and nothing is placed"
        )


def bad_input(why: str) -> ToolError:
    """The request makes no sense."""
    return refused(why, code="BAD_INPUT")


def not_configured(why: str) -> ToolError:
    """A setting, a key or a package is missing or wrong; only the user can mend it."""
    return ToolError(f"NOT_CONFIGURED: {why.rstrip('.')}. Tell the user; this cannot be mended by another call.")


def unknown_order(client_order_id: str) -> ToolError:
    """There is no order of that id."""
    return ToolError(f"UNKNOWN_ORDER: no order is called {quoted(client_order_id)}; list_orders names them.")


def quoted(text: str) -> str:
    """Text from outside on one line, short, in quotes."""
    line = "".join(mark if mark.isprintable() else " " for mark in text[:_MAX_QUOTED])
    return f"'{line}{'…' if len(text) > _MAX_QUOTED else ''}'"
