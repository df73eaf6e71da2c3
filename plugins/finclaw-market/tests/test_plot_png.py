"""Needs the extra `plot`: skipped, and said so, where it is not installed. SVG and text are tested without it."""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from finclaw_cli.sdk import ToolContext
from finclaw_market.plotting import plot_prices

pytest.importorskip("matplotlib")


def test_a_png_is_drawn_and_drawn_anew(
    context: Callable[..., ToolContext], run: Any, file: Callable[..., Path], tmp_path: Path
) -> None:
    run("import", file("Date,Close\n2024-01-02,1\n2024-01-03,2\n"), "--symbol", "A", "--name", "A $x^2$ & Co")
    folder = tmp_path / "work"
    folder.mkdir()
    ctx = replace(context(), workspace=folder)
    for _ in range(2):
        plot_prices("A", ctx, format="png", path="a.png")
    content = (folder / "a.png").read_bytes()
    assert content[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", content[16:24]) == (960, 504)
