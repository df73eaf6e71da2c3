"""Listings on narrow terminals: no line is too long, no word is broken."""

from __future__ import annotations

import sys

import pytest

from finclaw_cli.output.cells import width
from tests.e2e.harness import Finclaw
from tests.e2e.terminals import on_terminal

LISTINGS = {
    "tools": ("tools", "list"),
    "models": ("models", "list"),
    "plugins": ("plugins", "list"),
    "settings": ("config", "show"),
    "policy": ("policy", "explain", "pay", "--channel", "ci"),
}


@pytest.mark.skipif(sys.platform != "linux", reason="reads a pty to its end as Linux does")
@pytest.mark.parametrize("columns", [40, 80])
@pytest.mark.parametrize("listing", LISTINGS.values(), ids=LISTINGS)
def test_a_listing_fits(finclaw: Finclaw, listing: tuple[str, ...], columns: int) -> None:
    _, seen = on_terminal(finclaw, *listing, columns=columns)
    assert max(map(width, seen.decode().splitlines())) < columns


@pytest.mark.skipif(sys.platform != "linux", reason="reads a pty to its end as Linux does")
@pytest.mark.parametrize("columns", [40, 80])
@pytest.mark.parametrize("name", ["tools", "models", "plugins"])
def test_its_words_stay_whole(finclaw: Finclaw, name: str, columns: int) -> None:
    _, seen = on_terminal(finclaw, *LISTINGS[name], columns=columns)
    table, _, _ = seen.decode().replace("\r", "").partition("\n\n")
    whole = finclaw(*LISTINGS[name]).text
    assert set(table.split()) <= set(whole.split())


def test_a_pipe_gets_whole_lines(finclaw: Finclaw) -> None:
    lines = finclaw("tools", "list", env={"COLUMNS": "40"}).text.splitlines()
    assert next(line for line in lines if line.startswith("pay")).endswith("leaves a mark on the disk when it runs.")


@pytest.mark.skipif(sys.platform != "linux", reason="reads a pty to its end as Linux does")
@pytest.mark.parametrize(
    "command", [("tools", "list"), ("tools", "call", "price", "symbol=ACME CORPORATION OF NOWHERE")]
)
def test_a_terminal_of_unknown_width_is_taken_for_one_of_80_columns(finclaw: Finclaw, command: tuple[str, ...]) -> None:
    _, unknown = on_terminal(finclaw, *command, columns=0)
    _, known = on_terminal(finclaw, *command, columns=80)
    assert unknown.decode() == known.decode()
