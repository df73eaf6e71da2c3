"""Reading a filing takes time in proportion to its length, whatever it says."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress

import pytest

from finclaw_cli.sdk.tabular import FileProblem
from finclaw_filings.filing_file import saved_filing
from finclaw_filings.sections import sections_of

ROUNDS = 3
HEADER = "<SEC-HEADER>"


def cpu_s(work: Callable[[str], object], text: str) -> float:
    """The least CPU time of some rounds."""
    times = []
    for _ in range(ROUNDS):
        began = time.process_time()
        work(text)
        times.append(time.process_time() - began)
    return min(times)


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
def test_four_times_the_text_takes_about_four_times_the_time(
    work: Callable[[str], object], head: str, piece: str
) -> None:
    once, fourfold = (head + piece * (length // len(piece)) for length in (50_000, 200_000))
    least_s = 0.01  # below this, what is not the text's counts
    # Half of what it would take if time grew with the square of the length: the machine may be busy in one of the two.
    assert cpu_s(work, fourfold) < 8 * max(cpu_s(work, once), least_s)
