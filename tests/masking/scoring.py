"""How a masked text is judged: every private piece gone, everything around it untouched, byte for byte."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from tests.masking.generator import Case

Mask = Callable[[str], str]
MARK = re.compile(r"\[REDACTED:[^\]\n]*\]")
PEM_FRAME = re.compile(r"-----(?:BEGIN|END) [A-Z ]*PRIVATE KEY-----|\\n")


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of one case."""

    case: Case
    masked: str
    found: tuple[bool, ...]
    changed: int  # places outside the private pieces that changed

    @property
    def missed(self) -> list[tuple[str, str]]:
        return [piece for piece, found in zip(self.case.pieces(), self.found, strict=True) if not found]


@dataclass(slots=True)
class Tally:
    """Counts over many cases."""

    cases: int = 0
    pieces: int = 0
    found: int = 0
    bad_cases: int = 0
    changed: int = 0

    @property
    def recall(self) -> float:
        return self.found / self.pieces if self.pieces else 1.0

    @property
    def bad_share(self) -> float:
        return self.bad_cases / self.cases if self.cases else 0.0


def gone(piece: str, left: str) -> bool:
    """Whether nothing of a piece is left: a mark stands in its place, with no letter or digit beside it."""
    rest, marks = MARK.subn("", left)
    return marks > 0 and not any(c.isalnum() for c in PEM_FRAME.sub("", rest))


def outside_pieces(case: Case) -> list[str]:
    """The texts between the private pieces, the two ends included."""
    cuts = [0, *(edge for start, end, _ in case.spans for edge in (start, end)), len(case.text)]
    return [case.text[a:b] for a, b in zip(cuts[::2], cuts[1::2], strict=True)]


def judge(case: Case, mask: Mask) -> Verdict:
    """Mask one case and compare."""
    masked = mask(case.text)
    if not case.spans:
        changed = 0 if masked == case.text else max(1, len(MARK.findall(masked)))
        return Verdict(case, masked, (), changed)
    outside = outside_pieces(case)
    match = re.fullmatch("(.*?)".join(re.escape(text) for text in outside), masked, re.DOTALL)
    if match:
        return Verdict(
            case, masked, tuple(gone(p, g) for (_, p), g in zip(case.pieces(), match.groups(), strict=True)), 0
        )
    found = tuple(piece not in masked for _, piece in case.pieces())
    return Verdict(case, masked, found, max(1, len(MARK.findall(masked)) - sum(found)))


def tally(verdicts: Iterable[Verdict]) -> Tally:
    """Add up verdicts; no texts are kept, so that a failing test shows nothing of the held-back part."""
    sums = Tally()
    for verdict in verdicts:
        sums.cases += 1
        sums.pieces += len(verdict.found)
        sums.found += sum(verdict.found)
        sums.bad_cases += verdict.changed > 0
        sums.changed += verdict.changed
    return sums


def by_kind(verdicts: Iterable[Verdict]) -> dict[str, tuple[int, int]]:
    """For each kind how many pieces were found, and how many there are."""
    found, all_of = Counter[str](), Counter[str]()
    for verdict in verdicts:
        for (kind, _), hit in zip(verdict.case.pieces(), verdict.found, strict=True):
            all_of[kind] += 1
            found[kind] += hit
    return {kind: (found[kind], count) for kind, count in sorted(all_of.items())}


def wrong_marks(verdict: Verdict) -> Counter[str]:
    """The kinds of the marks set in a text in which nothing should be marked."""
    return Counter(mark[10:-1] for mark in MARK.findall(verdict.masked))
