"""Synthetic companyfacts documents of the form that the SEC serves."""

from __future__ import annotations

from typing import Any


def accession(filed: str, form: str = "10-K") -> str:
    """An accession number that is the same for the same form and day."""
    serial = sum(map(ord, form)) % 1000
    return f"0001234567-{filed[2:4]}-{filed[5:7]}{filed[8:10]}{serial % 100:02d}"


def fact(  # noqa: PLR0917 - columns of a table
    tag: str, span: str, value: object, filed: str, form: str = "10-K", unit: str = "USD"
) -> tuple[object, ...]:
    """One fact; `span` is `start..end` or the day of an instant."""
    return tag, span, value, filed, form, unit


def companyfacts(*facts: tuple[object, ...], name: str = "Acme Corp", cik: int = 1234567) -> dict[str, Any]:
    """A document with these facts."""
    document: dict[str, Any] = {"cik": cik, "entityName": name, "facts": {}}
    for tag, span, value, filed, form, unit in facts:
        taxonomy, _, short = str(tag).rpartition(":")
        tags = document["facts"].setdefault(taxonomy or "us-gaap", {})
        about = tags.setdefault(short, {"label": short, "description": "", "units": {}})
        start, _, end = str(span).rpartition("..")
        row = {"end": end, "val": value, "accn": accession(str(filed), str(form)), "fy": int(str(filed)[:4]) - 1}
        row |= {"fp": "FY" if str(form).startswith("10-K") else "Q3", "form": form, "filed": filed}
        about["units"].setdefault(unit, []).append({"start": start, **row} if start else row)
    return document


YEARS = {year: f"{year}-01-01..{year}-12-31" for year in range(2015, 2027)}
