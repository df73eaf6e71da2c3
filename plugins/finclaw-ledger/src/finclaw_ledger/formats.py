"""Which reader a file needs: OFX, MT940, CAMT and Flex show themselves, everything else is CSV under a profile."""

from __future__ import annotations

from pathlib import Path

from finclaw_cli.sdk.tabular import BadOption
from finclaw_ledger.camt import looks_like_camt, read_camt
from finclaw_ledger.csvreader import Given, layout_notes, read_csv
from finclaw_ledger.flex import looks_like_flex, read_flex
from finclaw_ledger.guess import guess
from finclaw_ledger.header import opening_of
from finclaw_ledger.mt940 import looks_like_mt940, read_mt940
from finclaw_ledger.ofx import looks_like_ofx, read_ofx
from finclaw_ledger.profile import by_number, find_profile
from finclaw_ledger.statement import Statement
from finclaw_ledger.textfile import RawFile

_SHOWN_BY_THEMSELVES = {
    "OFX": looks_like_ofx, "CAMT": looks_like_camt, "Flex query": looks_like_flex, "MT940": looks_like_mt940
}  # fmt: skip


def described(raw: RawFile, home: Path, given: Given) -> list[str]:
    """Which reader or profile a file would be given, and why; also where it needs more options.

    Raises:
        FileProblem: no profile fits, or several do.
    """
    for name, looks_like in _SHOWN_BY_THEMSELVES.items():
        if looks_like(raw):
            return [f"{name}, as its first lines say"]
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
    if looks_like_camt(raw):
        return read_camt(raw, account=given.account)
    if looks_like_flex(raw):
        return read_flex(raw, account=given.account)
    if looks_like_mt940(raw):
        return read_mt940(raw, account=given.account, encoding=given.encoding)
    if given.columns:
        if profile is not None:
            raise BadOption("--columns has numbers in place of a profile; say one of both")
        return read_csv(raw, opening_of(raw, by_number(given.columns), given.encoding), given)
    if profile is not None:
        return read_csv(raw, opening_of(raw, find_profile(profile, home), given.encoding), given)
    chosen = guess(raw, home, given.encoding)
    found = read_csv(raw, chosen.layout, given)
    return Statement(
        entries=found.entries,
        rejected=found.rejected,
        warnings=found.warnings,
        profile_problems=list(chosen.problems),
        notes=[chosen.why, *found.notes],
        how=found.how,
    )
