"""Which profile fits a file best, and why: by the columns it knows; a draw is not settled by us."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from finclaw_cli.sdk.render import bounded
from finclaw_cli.sdk.tabular import DELIMITERS, FileProblem
from finclaw_ledger.header import Layout, opening_of
from finclaw_ledger.names import shown_name
from finclaw_ledger.profile import Profile, all_profiles
from finclaw_ledger.textfile import RawFile, first_rows
from finclaw_ledger.wording import private

_MAX_HEADER = 200
_MAX_PROBLEMS = 3
_READABLE = 50
_MAX_OPENING = 4_000
_FEWEST = 3
_DATE = re.compile(r"[0-9]{1,4}[-/. ](?:[0-9]{1,2}|[A-Za-z]{3,9})[-/. ][0-9]{1,4}.{0,20}|(?:19|20)[0-9]{6}.{0,15}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Guess:
    """The profile that fits best."""

    layout: Layout
    """Without the rows of the file."""
    why: str
    problems: tuple[str, ...] = ()


def guess(raw: RawFile, home: Path, encoding: str | None = None) -> Guess:
    """Take the profile that knows most columns of the file.

    Raises:
        FileProblem: none fits, or several fit equally well and read the file differently.
    """
    profiles, problems = all_profiles(home)
    fitting: list[Layout] = []
    complaint = ""
    for profile in profiles.values():
        if not profile.has_header:
            continue  # nothing in the file shows that its numbers fit
        try:
            fitting.append(opening_of(raw, profile, encoding))
        except FileProblem as error:
            complaint = complaint or str(error)
    if not fitting:
        raise FileProblem("; ".join([_none_fits(raw, complaint, encoding), *problems[:_MAX_PROBLEMS]]))
    best = max(layout.score for layout in fitting)
    chosen = _preferred([layout for layout in fitting if layout.score == best])
    return Guess(layout=chosen, why=_why(chosen, fitting), problems=tuple(problems))


def _why(chosen: Layout, fitting: list[Layout]) -> str:
    columns = sum(bool(name) for name in chosen.header)
    others = ", ".join(f"{one.profile.name} {one.known}" for one in fitting if one is not chosen)
    why = f"profile {chosen.profile.name}: it knows {chosen.known} of {columns} columns"
    return f"{why} (others: {others})" if others else why


def _preferred(drawn: list[Layout]) -> Layout:
    """Of profiles that read the same columns, the one with the fewest assumptions, which asks for the rest."""
    if len({tuple(sorted(layout.at.items())) for layout in drawn}) > 1:
        names = " or ".join(sorted(layout.profile.name for layout in drawn))
        raise FileProblem(f"several profiles fit equally well; say --profile {names}")
    return min(drawn, key=lambda layout: (_assumptions(layout.profile), layout.profile.name))


def _assumptions(profile: Profile) -> int:
    return sum(value is not None for value in (profile.decimal, profile.date_format, profile.currency))


def _none_fits(raw: RawFile, complaint: str, encoding: str | None) -> str:
    text = raw.content[:4_000].decode(encoding or "utf-8", "replace")
    lines = [line for line in text.splitlines() if line.strip()]
    widest = max(lines, key=lambda line: sum(map(line.count, ";,\t|")), default="")
    why = complaint if complaint and "header" not in complaint else "no profile knows its columns"
    if rows := _first_booking(raw, encoding):
        return f"it has no header; say which columns to read, as --columns date=1,payee=2,amount=3: row 1 has {rows}"
    if not _is_readable(widest):
        return f"{why}; its first lines cannot be shown: is it a table, exported as CSV, in another --encoding?"
    header = bounded(shown_name(widest), _MAX_HEADER)
    return (
        f"{why}; the header may be: {header} - name its columns in a profile of your own, see finclaw ledger profiles"
    )


def _first_booking(raw: RawFile, encoding: str | None) -> str:
    """The numbered cells of the first row, where that is no header: it has a date. Otherwise empty."""
    text = raw.content[:_MAX_OPENING].decode(encoding or "utf-8", "replace").lstrip("\ufeff")
    delimiter = max(DELIMITERS, key=text.count)
    try:
        _, cells = first_rows(text.splitlines()[:1], delimiter, 1)[0]
    except (FileProblem, IndexError):
        return ""
    if len(cells) < _FEWEST or not any(_DATE.fullmatch(cell.strip()) for cell in cells):
        return ""
    return bounded(", ".join(f"{at} {private(cell.strip()) or '-'}" for at, cell in enumerate(cells, 1)), _MAX_HEADER)


def _is_readable(line: str) -> bool:
    """Whether people can read it: hardly a mark that does not print, or that no text could be made of."""
    odd = sum(mark == "\ufffd" or not (mark.isprintable() or mark.isspace()) for mark in line)
    return odd * _READABLE <= len(line)
