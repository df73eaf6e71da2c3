"""SEC's JSON, read strictly: bounded, numbers exact, and every part checked for what it is before it is used."""

from __future__ import annotations

import json
import re
from datetime import date
from decimal import Decimal

from finclaw_cli.sdk.render import bounded, quoted
from finclaw_cli.sdk.tabular import FileProblem
from finclaw_filings.wording import one_line

MAX_JSON_BYTES = 100_000_000
_MAX_CIK = 9_999_999_999
_MAX_ADJUSTED = 40
_MAX_DIGITS = 100
_ACCESSION = re.compile(r"\d{10}-\d{2}-\d{6}")
_BARE_ACCESSION = re.compile(r"(\d{10})(\d{2})(\d{6})")
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")


def parsed(content: bytes) -> dict[str, object]:
    """The JSON object that these bytes are.

    Raises:
        FileProblem: they are something else: a page, cut off, not an object, with NaN, with a key twice, too deep.
    """
    if len(content) > MAX_JSON_BYTES:
        raise FileProblem(f"larger than {MAX_JSON_BYTES} bytes")
    if content.lstrip()[:1] == b"<":
        raise FileProblem("a web page, not JSON; SEC sends one when it refuses a download")
    try:
        found = json.loads(
            content,
            parse_float=Decimal,
            parse_int=_integer,
            parse_constant=_no_constant,
            object_pairs_hook=_with_each_key_once,
        )
    except (ValueError, RecursionError) as error:
        raise FileProblem(f"not JSON: {bounded(str(error), 100)}") from None
    if not isinstance(found, dict):
        raise FileProblem("not a JSON object")
    return found


def _integer(written: str) -> int | None:
    """A whole number, or None where it is longer than any that is used: reading it would take long, or be refused."""
    return int(written) if len(written) <= _MAX_DIGITS else None


def _with_each_key_once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("an object has a key twice")
    return found


def _no_constant(name: str) -> object:
    raise ValueError(f"{name} is no number")


def cik_from(value: object) -> int:
    """A company's number at the SEC, which stands as a number or as up to ten digits.

    Raises:
        FileProblem: it is none.
    """
    text = str(value) if isinstance(value, int | str) and not isinstance(value, bool) else ""
    if not (text.isascii() and text.isdigit() and len(text) <= 10 and 0 < int(text) <= _MAX_CIK):  # noqa: PLR2004
        raise FileProblem(f"{quoted(str(value))} is not a CIK")
    return int(text)


def accession_from(value: object) -> str | None:
    """An accession number with its hyphens, or None where it is none."""
    if not isinstance(value, str):
        return None
    text = value.strip()
    if _ACCESSION.fullmatch(text) and text.isascii():
        return text
    bare = _BARE_ACCESSION.fullmatch(text) if text.isascii() else None
    return "-".join(bare.groups()) if bare else None


def date_from(value: object) -> str | None:
    """A date `YYYY-MM-DD`, or None where it is none."""
    if not isinstance(value, str) or not _DATE.fullmatch(value):
        return None
    try:
        return date.fromisoformat(value).isoformat()
    except ValueError:
        return None


def exact(value: object) -> str | None:
    """A number as decimal text with all its digits, or None where it is no number of a sensible size."""
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        return None
    number = Decimal(value) if value else Decimal(0)  # also for -0.0
    exponent = number.as_tuple().exponent
    if (
        not isinstance(exponent, int)
        or exponent < -_MAX_ADJUSTED
        or (number and abs(number.adjusted()) > _MAX_ADJUSTED)
    ):
        return None
    return format(number, "f")


def text_from(value: object, limit: int = 200) -> str | None:
    """A short text, cleaned; None where there is none."""
    return (bounded(one_line(value[: limit * 4]), limit) or None) if isinstance(value, str) else None


def strings_from(value: object) -> list[str]:
    """The texts in a list, in order; an absent one as the empty text."""
    return [item if isinstance(item, str) else "" for item in value] if isinstance(value, list) else []


def mapping_from(value: object) -> dict[str, object]:
    """An object, or an empty one where it is none."""
    return value if isinstance(value, dict) else {}
