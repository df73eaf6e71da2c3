"""Which reader a file needs: OFX and MT940 show themselves, everything else is CSV under a profile."""

from __future__ import annotations

from pathlib import Path

from finclaw_ledger.csvreader import Given, layout_notes, read_csv
from finclaw_ledger.entries import Statement
from finclaw_ledger.guess import guess
from finclaw_ledger.header import layout_of
from finclaw_ledger.mt940 import looks_like_mt940, read_mt940
from finclaw_ledger.ofx import looks_like_ofx, read_ofx
from finclaw_ledger.profile import find_profile
from finclaw_ledger.textfile import RawFile


def described(raw: RawFile, home: Path, given: Given) -> list[str]:
    """Which reader or profile a file would be given, and why; also where it needs more options.

    Raises:
        FileProblem: no profile fits, or several do.
    """
    if looks_like_ofx(raw) or looks_like_mt940(raw):
        return ["OFX, as its first lines say" if looks_like_ofx(raw) else "MT940, as its first lines say"]
    chosen = guess(raw, home, given.encoding)
    return [chosen.why, *layout_notes(chosen.layout)]


def read_statement(raw: RawFile, home: Path, profile: str | None, given: Given) -> Statement:
    """All bookings of a file.

    Raises:
        FileProblem: it cannot be read as a statement, or no profile fits.
        BadOption: there is no such profile.
    """
    if looks_like_ofx(raw):
        return read_ofx(raw, account=given.account, currency=given.currency, encoding=given.encoding)
    if looks_like_mt940(raw):
        return read_mt940(raw, account=given.account, encoding=given.encoding)
    if profile is not None:
        return read_csv(layout_of(raw, find_profile(profile, home), given.encoding), given)
    chosen = guess(raw, home, given.encoding)
    found = read_csv(chosen.layout, given)
    return Statement(
        entries=found.entries,
        rejected=found.rejected,
        warnings=found.warnings,
        profile_problems=list(chosen.problems),
        notes=[chosen.why, *found.notes],
        how=found.how,
    )
