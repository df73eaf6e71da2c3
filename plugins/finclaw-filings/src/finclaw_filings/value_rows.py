"""Values as answers show them: period, unit, tag, and the reports that they are or follow from."""

from __future__ import annotations

from finclaw_filings.periods import Derived, Known, Report
from finclaw_filings.series import Value
from finclaw_filings.trailing import Trailing, amount, reports_of


def value_row(value: Value) -> dict[str, object]:
    """All that is known of a value."""
    found, period = value.found, value.period
    shown: dict[str, object] = {
        "value": format(amount(found), "f"),
        "unit": value.unit,
        "start": period.start,
        "end": period.end,
        "duration_days": period.days,
        "months": period.months,
        "tag": value.tag,
    }
    if isinstance(found, Derived):
        shown |= _derivation(found)
    elif isinstance(found, Trailing):
        shown |= _quarters(found)
    else:
        latest = found.latest
        shown |= _report(latest) | {"filing_fy": latest.fy, "filing_fp": latest.fp}
        shown["restated"] = found.restated
        shown["earlier"] = [{"value": format(old.value, "f"), **_report(old)} for old in found.earlier]
        shown["contradicted"] = [format(other.value, "f") for other in found.contradicted]
        shown["also_reported"] = [_other(tag, other) for tag, other in value.others]
    return {name: item for name, item in shown.items() if item is not None and item != []}


def _report(report: Report) -> dict[str, object]:
    return {"accession": report.accession, "filed": report.filed, "form": report.form}


def _other(tag: str, known: Known) -> dict[str, object]:
    return {"tag": tag, "value": format(known.latest.value, "f"), **_report(known.latest)}


def _derivation(derived: Derived) -> dict[str, object]:
    """How a quarter that was not reported follows from what was."""
    inputs = [
        {
            "value": format(report.value, "f"),
            "start": known.period.start,
            "end": known.period.end,
            "months": known.period.months,
            "restated": known.restated,
            **_report(report),
        }
        for known, report in zip((derived.whole, derived.part), derived.used, strict=True)
    ]
    method = f"not reported: {inputs[0]['months']} months less the first {inputs[1]['months']} months"
    return {
        "derived": True,
        "method": method,
        "inputs": inputs,
        "filed": max(report.filed for report in derived.used),
    }


def _quarters(trailing: Trailing) -> dict[str, object]:
    return {
        "derived": True,
        "method": "sum of four quarters",
        "inputs": [_part(quarter) for quarter in trailing.quarters],
        "filed": max(report.filed for report in reports_of(trailing)),
    }


def _part(quarter: Known | Derived) -> dict[str, object]:
    """One of four quarters, with the filings it is from."""
    period = {"value": format(amount(quarter), "f"), "start": quarter.period.start, "end": quarter.period.end}
    if isinstance(quarter, Derived):
        return period | _derivation(quarter)
    return period | _report(quarter.latest) | {"restated": quarter.restated}


def input_row(concept: str, value: Value) -> dict[str, object]:
    """A value as the input of a formula."""
    reports = reports_of(value.found)
    row: dict[str, object] = {
        "concept": concept,
        "value": format(amount(value.found), "f"),
        "unit": value.unit,
        "start": value.period.start,
        "end": value.period.end,
        "tag": value.tag,
        "accessions": list(dict.fromkeys(report.accession for report in reports)),
        "filed": max(report.filed for report in reports),
    }
    if value.others:
        row["also_reported"] = [_other(tag, other) for tag, other in value.others]
    return {name: item for name, item in row.items() if item is not None}
