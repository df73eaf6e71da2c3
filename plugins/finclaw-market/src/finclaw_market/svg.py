"""A price chart as SVG: axes, title, unit and source line; nothing to install, nothing to load."""

from __future__ import annotations

from html import escape

from finclaw_market.scales import Curve, date_ticks, thinned, tick_text, value_ticks

MARK = "finclaw-market plot"
"""Stands in every file that was written here, so that it may be written anew."""
_WIDTH, _HEIGHT = 800, 420
_LEFT, _RIGHT, _TOP, _BOTTOM = 72, 20, 56, 56
_SIZE = f'viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" height="{_HEIGHT}"'
_MAX_POINTS = 2_000
_STYLE = (
    "text{font:12px system-ui,sans-serif;fill:#444}.t{font-size:16px;font-weight:600;fill:#111}"
    ".s{font-size:10px;fill:#777}.g{stroke:#ddd}.l{fill:none;stroke:#1f6feb;stroke-width:1.6}.a{fill:#1f6feb;opacity:.08}"
)


def svg(curve: Curve) -> str:
    """The chart as one SVG document of 800 by 420 pixels."""
    days, values = thinned(curve.days, curve.values, _MAX_POINTS)
    ticks = value_ticks(min(values), max(values))
    frame = _Frame(days[0].toordinal(), days[-1].toordinal(), ticks[0], ticks[-1])
    points = [f"{frame.x(day.toordinal()):.1f},{frame.y(value):.1f}" for day, value in zip(days, values, strict=True)]
    ground = _HEIGHT - _BOTTOM
    area = f"M{points[0].split(',')[0]},{ground}L{'L'.join(points)}L{points[-1].split(',')[0]},{ground}Z"
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" {_SIZE} role="img" aria-label="{escape(curve.title)}">',
            f"<!-- {MARK} -->",
            f'<style>{_STYLE}</style><rect width="{_WIDTH}" height="{_HEIGHT}" fill="#fff"/>',
            f'<text class="t" x="{_LEFT}" y="26">{escape(curve.title)}</text>',
            f'<text x="{_LEFT}" y="44">{escape(curve.unit)}</text>',
            *_value_axis(frame, ticks),
            *_date_axis(frame, curve),
            f'<path class="a" d="{area}"/>',
            f'<path class="l" d="M{"L".join(points)}"/>',
            f'<text class="s" x="{_LEFT}" y="{_HEIGHT - 10}">{escape(curve.source)}</text>',
            "</svg>\n",
        ]
    )


class _Frame:
    """From days and values to pixels."""

    def __init__(self, first: int, last: int, low: float, high: float) -> None:
        self._first, self._days = first, max(last - first, 1)
        self._low, self._range = low, high - low

    def x(self, day: int) -> float:
        return _LEFT + (day - self._first) / self._days * (_WIDTH - _LEFT - _RIGHT)

    def y(self, value: float) -> float:
        return _HEIGHT - _BOTTOM - (value - self._low) / self._range * (_HEIGHT - _TOP - _BOTTOM)


def _value_axis(frame: _Frame, ticks: list[float]) -> list[str]:
    step = ticks[1] - ticks[0]
    return [
        f'<line class="g" x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{frame.y(tick):.1f}" y2="{frame.y(tick):.1f}"/>'
        f'<text x="{_LEFT - 8}" y="{frame.y(tick) + 4:.1f}" text-anchor="end">{tick_text(tick, step)}</text>'
        for tick in ticks
    ]


def _date_axis(frame: _Frame, curve: Curve) -> list[str]:
    ground = _HEIGHT - _BOTTOM
    return [
        f'<line class="g" x1="{x:.1f}" x2="{x:.1f}" y1="{ground}" y2="{ground + 5}"/>'
        f'<text x="{x:.1f}" y="{ground + 19}" text-anchor="middle">{text}</text>'
        for day, text in date_ticks(curve.days[0], curve.days[-1])
        for x in [frame.x(day.toordinal())]
    ]
