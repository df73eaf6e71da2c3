"""Reading a filing takes time in proportion to its length, whatever it says."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

import pytest

from finclaw_cli.sdk.tabular import FileProblem
from finclaw_cli.testing.growth import MOST, growth
from finclaw_filings.filing_file import saved_filing
from finclaw_filings.sections import sections_of

HEADER = "<SEC-HEADER>"


def read(text: str) -> None:
    with suppress(FileProblem):
        saved_filing(text.encode(), "a.txt")


def sections(text: str) -> None:
    sections_of(text, "10-K")


@pytest.mark.parametrize(
    ("work", "head", "piece"),
    [
        (read, HEADER, "\n"),
        (read, HEADER, " "),
        (read, "<html><p>text</p></", "A"),
        (read, "<html><p>text</p>", "</A"),
        (read, "<html><p>text</p>", "<!"),
        (read, "<html><p>text</p>", "<table><tr><td>"),
        (read, "x<DOCUMENT>", "\n"),
        (read, "x", "<DOCUMENT>\n"),
        (read, "", "<DOCUMENT>\n<TYPE>EX-99\n<TEXT>\nx\n</TEXT>\n</DOCUMENT>\n"),
        (read, "<html>", '<ix:nonNumeric name="dei:DocumentType" contextRef="c">'),
        (read, "<html>", "<ix:nonNumeric>x</ix:nonNumeric>"),
        (sections, "PART I", "\n"),
        (sections, "", "D.\n\n"),
        (sections, "", "ITEM 1. x\n\nSIGNATURES\n\n"),
        (sections, "", "| "),
        (sections, "ITEM 1. x\nITEM 15. x\n", "BALANCE SHEETS\nEXHIBIT INDEX\nTotal assets 1\n"),
        (sections, "ITEM 4. x\n", "EXECUTIVE OFFICERS OF x\n"),
    ],
)
def test_four_times_the_text_takes_about_four_times_the_work(
    work: Callable[[str], object], head: str, piece: str
) -> None:
    def prepare(length: int) -> Callable[[], object]:
        text = head + piece * (length // len(piece))
        return lambda: work(text)

    assert growth(prepare, 50_000, least_s=0.01) < MOST
