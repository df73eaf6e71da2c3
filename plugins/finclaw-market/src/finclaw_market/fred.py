"""Economic series from FRED, with the day from which each value was known as ALFRED has it. Needs a key."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from hashlib import sha256
from pathlib import Path

from finclaw_cli.sdk import no_data
from finclaw_cli.sdk.tabular import BadCell, parse_number
from finclaw_market.bars import exact_text
from finclaw_market.given import words
from finclaw_market.service import Answer, Service, error_field, failed
from finclaw_market.settings import FRED_KEY, base_url, fred_key

NAME = "FRED"
LICENCE = "FRED's terms; source must be named"
_PATH = "/fred/series/observations"
_PAGE = 100_000
_MAX_PAGES = 10
_BAD_REQUEST, _NOT_FOUND = 400, 404
# All that was ever known: the bounds that FRED itself has.
_ALL_VINTAGES = {"realtime_start": "1776-07-04", "realtime_end": "9999-12-31"}


@dataclass(frozen=True, slots=True, kw_only=True)
class FredSeries:
    """One series: its values by date and by the day from which they were known."""

    id: str
    name: str | None
    unit: str | None
    values: dict[tuple[str, str], str | None]
    """By date and `known_from`; empty `known_from` where FRED has too many vintages to give them."""
    ref: str
    sha256: str
    warnings: tuple[str, ...] = ()


def fetch_series(home: Path, series: str) -> FredSeries:
    """Ask for all vintages of a series.

    Raises:
        ToolError: UNKNOWN_SYMBOL, NO_DATA, RATE_LIMITED or NOT_CONFIGURED.
    """
    fred = Service(name=NAME, base=base_url("fred"), home=home, key=fred_key())
    about = _about(_asked(fred, "/fred/series", {"series_id": series}))
    warnings: tuple[str, ...] = ()
    try:
        pages = list(_pages(fred, series, _ALL_VINTAGES))
    except _TooManyVintages:
        warnings = ("FRED has too many vintages of this series to give them: when values became known is not stored",)
        pages = list(_pages(fred, series, {}))
    values: dict[tuple[str, str], str | None] = {}
    for page in pages:
        values.update(_values(page, dated=not warnings))
    if not values:
        raise no_data(f"{NAME} has no observations of {series}")
    return FredSeries(
        id=series,
        name=about[0],
        unit=about[1],
        values=values,
        ref=f"{fred.base}{_PATH}?series_id={series}",
        sha256=pages[0].sha256
        if len(pages) == 1
        else sha256("".join(page.sha256 for page in pages).encode()).hexdigest(),
        warnings=warnings,
    )


class _TooManyVintages(Exception):
    """FRED gives at most some thousand vintages at once."""


def _asked(fred: Service, path: str, params: Mapping[str, str]) -> Answer:
    answer = fred.ask(path, {**params, "file_type": "json", "api_key": fred.key})
    series = params["series_id"]
    message = error_field(answer.body, "error_message")
    if answer.status == _BAD_REQUEST and "api_key" in message:
        raise no_data(f"{NAME} does not accept the key in {FRED_KEY}", code="NOT_CONFIGURED")
    if answer.status == _BAD_REQUEST and "vintage" in message.lower():
        raise _TooManyVintages
    if answer.status in {_BAD_REQUEST, _NOT_FOUND}:
        raise no_data(f"{NAME} does not know {series}: {message}", code="UNKNOWN_SYMBOL")
    if not isinstance(answer.body, dict) or message:
        raise failed(f"{NAME} gave an answer about {series} that cannot be read (status {answer.status}): {message}")
    return answer


def _about(answer: Answer) -> tuple[str | None, str | None]:
    found = answer.body.get("seriess") if isinstance(answer.body, dict) else None
    first = found[0] if isinstance(found, list) and found and isinstance(found[0], dict) else {}
    texts = [first.get(name) for name in ("title", "units")]
    name, unit = (words(text) if isinstance(text, str) else None for text in texts)
    return name, unit


def _pages(fred: Service, series: str, realtime: Mapping[str, str]) -> Iterator[Answer]:
    for page in range(_MAX_PAGES):
        asked = {"series_id": series, "limit": str(_PAGE), "offset": str(page * _PAGE), **realtime}
        answer = _asked(fred, _PATH, asked)
        yield answer
        if len(_observations(answer)) < _PAGE:
            return
    raise failed(f"{NAME} has more than {_PAGE * _MAX_PAGES:,} values of {series}")


def _observations(answer: Answer) -> list[object]:
    found = answer.body.get("observations") if isinstance(answer.body, dict) else None
    if not isinstance(found, list):
        raise failed(f"{NAME} gave an answer without observations")
    return found


def _values(answer: Answer, *, dated: bool) -> Iterator[tuple[tuple[str, str], str | None]]:
    for item in _observations(answer):
        row = item if isinstance(item, dict) else {}
        text = str(row.get("value", ""))
        try:
            day = date.fromisoformat(str(row.get("date"))).isoformat()
            known = date.fromisoformat(str(row.get("realtime_start"))).isoformat() if dated else ""
            value = None if text == "." else exact_text(parse_number(text))
        except (ValueError, BadCell):
            raise failed(f"{NAME} gave an observation that cannot be read") from None
        yield (day, known), value
