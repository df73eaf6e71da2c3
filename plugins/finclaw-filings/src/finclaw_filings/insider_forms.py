"""Forms 3, 4 and 5: what directors, officers and large owners of a company hold and trade of its securities."""

from __future__ import annotations

from finclaw_cli.sdk.tabular import BadCell, FileProblem
from finclaw_cli.sdk.xml import Element, exact
from finclaw_filings.sec_json import date_from, text_from

_MAX_ROWS = 5_000
_TABLES = (
    ("nonDerivativeTable", "nonDerivativeTransaction", "transaction", False),
    ("nonDerivativeTable", "nonDerivativeHolding", "holding", False),
    ("derivativeTable", "derivativeTransaction", "transaction", True),
    ("derivativeTable", "derivativeHolding", "holding", True),
)
_DAYS = {
    "date": ("transactionDate",),
    "exercisable": ("exerciseDate",),
    "expires": ("expirationDate",),
}
_NUMBERS = {
    "amount": ("transactionAmounts", "transactionShares"),
    "total_value": ("transactionAmounts", "transactionTotalValue"),
    "price": ("transactionAmounts", "transactionPricePerShare"),
    "exercise_price": ("conversionOrExercisePrice",),
    "underlying_amount": ("underlyingSecurity", "underlyingSecurityShares"),
    "held_after": ("postTransactionAmounts", "sharesOwnedFollowingTransaction"),
    "value_held_after": ("postTransactionAmounts", "valueOwnedFollowingTransaction"),
}
_TEXTS = {
    "security": ("securityTitle",),
    "acquired_or_disposed": ("transactionAmounts", "transactionAcquiredDisposedCode"),
    "underlying": ("underlyingSecurity", "underlyingSecurityTitle"),
    "direct_or_indirect": ("ownershipNature", "directOrIndirectOwnership"),
    "nature": ("ownershipNature", "natureOfOwnership"),
}
_ROLES = {"isDirector": "director", "isOfficer": "officer", "isTenPercentOwner": "10% owner", "isOther": "other"}


def insider_form(document: Element) -> tuple[dict[str, object], list[dict[str, object]]]:
    """Owners and footnotes, and the rows of both tables in the order of the form.

    Raises:
        FileProblem: a number or a day cannot be read, or there are too many rows.
    """
    rows = [
        _row(entry, what, derivative=derivative)
        for table, name, what, derivative in _TABLES
        for entry in document.all(table, name)
    ]
    if len(rows) > _MAX_ROWS:
        raise FileProblem(f"more than {_MAX_ROWS} rows")
    notes = {
        note.attributes.get("id", "")[:10]: text_from(note.text, 1000) for note in document.all("footnotes", "footnote")
    }
    return {"owners": [_owner(owner) for owner in document.all("reportingOwner")], "footnotes": notes}, rows


def _owner(owner: Element) -> dict[str, object]:
    role = ("reportingOwnerRelationship",)
    roles = [name for tag, name in _ROLES.items() if owner.first(*role, tag).lower() in {"1", "true"}]
    title = text_from(owner.first(*role, "officerTitle") or owner.first(*role, "otherText"))
    identity = ("reportingOwnerId",)
    found = {
        "name": text_from(owner.first(*identity, "rptOwnerName")),
        "cik": text_from(owner.first(*identity, "rptOwnerCik"), 10),
        "roles": roles,
        "title": title,
    }
    return {name: value for name, value in found.items() if value}


def _row(entry: Element, what: str, *, derivative: bool) -> dict[str, object]:
    row: dict[str, object] = {"row": what, "derivative": derivative}
    row["code"] = text_from(entry.first("transactionCoding", "transactionCode"), 2)
    row |= {name: text_from(entry.first(*path, "value")) for name, path in _TEXTS.items()}
    row |= {name: _day(entry, path) for name, path in _DAYS.items()}
    row |= {name: _number(entry, path, name) for name, path in _NUMBERS.items()}
    marks = dict.fromkeys(note.attributes.get("id", "")[:10] for note in _footnotes(entry))
    row["footnotes"] = list(marks)
    return {name: value for name, value in row.items() if value not in (None, "", [])}


def _number(entry: Element, path: tuple[str, ...], what: str) -> str | None:
    """A number; none where only a footnote stands in its place."""
    text = entry.first(*path, "value")
    if not text:
        return None
    try:
        return format(exact(text, what), "f")
    except BadCell as error:
        raise FileProblem(f"line {entry.line}: {error}") from None


def _day(entry: Element, path: tuple[str, ...]) -> str | None:
    """A day; XML may add a time zone, as in `2022-12-13-05:00`."""
    text = entry.first(*path, "value")
    if not text:
        return None
    day = date_from(text[:10])
    if day is None:
        raise FileProblem(f"line {entry.line}: {text[:20]!r} is not a day")
    return day


def _footnotes(element: Element) -> list[Element]:
    found = [child for child in element.children if child.name == "footnoteId"]
    return found + [note for child in element.children for note in _footnotes(child)]
