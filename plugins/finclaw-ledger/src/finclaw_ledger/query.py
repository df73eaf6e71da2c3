"""`ledger_query`: a query of beancount's own language over the user's file; it can only read."""

from __future__ import annotations

import re
from datetime import date, timedelta

from finclaw_cli.sdk import FinanceResult, Method, Need, Source, ToolContext, ToolError, no_data, tool
from finclaw_ledger.books import cap_of
from finclaw_ledger.dates import today
from finclaw_ledger.names import shown_name
from finclaw_ledger.wording import private

_MAX_QUERY = 4_000
_MAX_ROWS = 500
_STRING = re.compile(r"'[^']*'|\"[^\"]*\"")
_READS = re.compile(r"\s*(SELECT|BALANCES|JOURNAL)\b", re.IGNORECASE)
# `CREATE` and `INSERT` are words of the language too, and can open other files.
_NEVER = re.compile(r"[;#]|--|/\*|\b(CREATE|INSERT|USING|PRINT)\b", re.IGNORECASE)
_CLOSED = re.compile(r"\bCLOSE\s+ON\s+([0-9]{4}-[0-9]{2}-[0-9]{2})\b", re.IGNORECASE)
_TODAY = re.compile(r"\btoday\s*\(", re.IGNORECASE)
_APART = re.compile(r"[\s,{}]+")
_AMOUNT = re.compile(r"-?[0-9]{1,20}(?:\.[0-9]{1,20})?|[A-Z][A-Z'._-]{0,23}|[0-9]{4}-[0-9]{2}-[0-9]{2}")
_SELECT = re.compile(r"\bSELECT\b", re.IGNORECASE)


@tool(
    group="data",
    sensitive=True,
    read_only=True,
    idempotent=True,
    timeout=20,
    needs=(Need(program="bean-query", how='pip install "finclaw-ledger[beancount]"'),),
)
async def ledger_query(bql: str, ctx: ToolContext) -> FinanceResult:
    """Ask the user's beancount file a read-only BQL query, where one is set.

    Args:
        bql: SELECT, BALANCES or JOURNAL, e.g. "SELECT account, sum(position) GROUP BY account".
        ctx: given by finclaw.
    """
    from finclaw_ledger.beancount import PROGRAM, ask, open_as_of
    from finclaw_ledger.settings import TABLE, beancount_file

    path = beancount_file(ctx)
    if path is None:
        raise no_data(f"no beancount file: set beancount_file under [{TABLE}]", code="NOT_CONFIGURED")
    cap = cap_of(ctx)
    bare = _checked(bql, cap)
    async with open_as_of(path, cap) as books:
        if not _ends_before(bare, cap) or books.has_encrypted:
            later = await ask(books, f"SELECT count(1) FROM #entries WHERE date > {cap.isoformat()}")  # noqa: S608 - a date
            if later.rows and later.rows[0] != ["0"]:
                raise _later_entries_error(cap, encrypted=books.has_encrypted)
        answered = await ask(books, bql.strip())
    return FinanceResult(
        data={
            "columns": answered.header,
            "rows": [[_shown(cell) for cell in row] for row in answered.rows[:_MAX_ROWS]],
            "count": len(answered.rows),
        },
        as_of=cap.isoformat(),
        method=Method(name="bql", convention=f"{PROGRAM}; signs as in beancount", n=len(answered.rows)),
        sources=(Source(id="s1", kind="file", ref=shown_name(path.name), sha256=_sha256(str(path)), licence="user"),),
        warnings=answered.complaints,
        truncated=len(answered.rows) > _MAX_ROWS,
    )


def _later_entries_error(cap: date, *, encrypted: bool) -> ToolError:
    """The error for entries after the day that shortening the text does not remove."""
    if encrypted:
        why = "an encrypted file that is included may have them and cannot be shortened; the other tools leave them out"
    else:
        why = f"a plugin makes them; add FROM CLOSE ON {cap + timedelta(days=1)}"
    return no_data(f"the books have entries after {cap}, which may not be seen: {why}", code="BAD_INPUT")


def _shown(cell: str) -> str:
    # A long number with its currency is an amount, and no account.
    parts = [part for part in _APART.split(cell) if part]
    return cell if all(_AMOUNT.fullmatch(part) for part in parts) else private(cell)


def _sha256(path: str) -> str:
    import hashlib
    from pathlib import Path

    with Path(path).open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _checked(bql: str, cap: date) -> str:
    """The query without its strings, if it can only read, and only what was known on a day.

    Raises:
        ToolError: BAD_INPUT: it is something else.
    """
    bare = _STRING.sub("''", bql.strip())
    if len(bql) > _MAX_QUERY or not bql.isprintable() or not _READS.match(bare) or _NEVER.search(bare):
        raise no_data(
            "bql must be one SELECT, BALANCES or JOURNAL on one line, over postings; nothing else is run",
            code="BAD_INPUT",
        )
    if _TODAY.search(bare) and cap < today():
        raise no_data(f"today() is after {cap}, the last day that may be seen; write {cap}", code="BAD_INPUT")
    return bare


def _ends_before(bare: str, cap: date) -> bool:
    """Whether the query itself leaves out everything after the cap."""
    found = _CLOSED.search(bare)
    if found is None or len(_SELECT.findall(bare)) > 1:
        return False
    return found[1] <= (cap + timedelta(days=1)).isoformat()
