from __future__ import annotations

from contextlib import suppress

from hypothesis import given
from hypothesis import strategies as st

from finclaw_cli.sdk import ToolError
from finclaw_portfolio.positions import pasted_positions

QUANTITIES = st.decimals(min_value=0, max_value=10**9, allow_nan=False, places=4)
SYMBOLS = st.text("ABCDEFGHIJ", min_size=2, max_size=5)


@given(text=st.text(st.characters(), max_size=200))
def test_a_text_is_a_table_of_positions_or_refused(text: str) -> None:
    with suppress(ToolError):
        assert pasted_positions(text).items


@given(rows=st.lists(st.tuples(SYMBOLS, QUANTITIES), min_size=1, max_size=20), comma=st.booleans())
def test_every_row_of_a_table_is_a_position(rows: list[tuple[str, object]], *, comma: bool) -> None:
    cells = [(symbol, f"{quantity:f}".replace(".", ",") if comma else f"{quantity:f}") for symbol, quantity in rows]
    text = "Symbol;Quantity\n" + "".join(f"{symbol};{quantity}\n" for symbol, quantity in cells)
    assert [(item.symbol, item.quantity) for item in pasted_positions(text).items] == rows
