"""A price chart as PNG, drawn by matplotlib: the extra `plot`."""

from __future__ import annotations

from datetime import datetime
from importlib import import_module
from importlib.util import find_spec
from io import BytesIO

from finclaw_cli.sdk import no_data
from finclaw_market.scales import Curve
from finclaw_market.svg import MARK

_DOTS_PER_INCH = 120


def png(curve: Curve) -> bytes:
    """The chart as a PNG file of 960 by 504 pixels.

    Raises:
        ToolError: NOT_CONFIGURED: matplotlib is not installed.
    """
    if find_spec("matplotlib") is None:
        how = 'format png needs a further package: pip install "finclaw-market[plot]"; svg and text need nothing'
        raise no_data(how, code="NOT_CONFIGURED")
    # Not pyplot, which keeps figures and looks for a screen.
    figure = import_module("matplotlib.figure").Figure(figsize=(8, 4.2), dpi=_DOTS_PER_INCH, layout="constrained")
    axes = figure.add_subplot()
    moments = [datetime(day.year, day.month, day.day) for day in curve.days]  # noqa: DTZ001 - a date for the axis
    axes.plot(moments, curve.values, color="#1f6feb", linewidth=1.3)
    # A title is text, and a dollar sign in it no formula.
    axes.set_title(curve.title, loc="left", fontweight="bold", parse_math=False)
    axes.set_ylabel(curve.unit, parse_math=False)
    axes.grid(axis="y", color="#dddddd")
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    figure.supxlabel(curve.source, fontsize=7, color="#777777", x=0.01, ha="left", parse_math=False)
    content = BytesIO()
    figure.savefig(content, format="png", metadata={"Software": MARK})
    return content.getvalue()
