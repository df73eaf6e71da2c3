"""The report on the masking: recall and false positives by kind, by origin and by part of the set."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import cache

from finclaw_cli.masking.private import mask_private
from tests.masking.big_texts import company_facts, price_table
from tests.masking.generator import Case, hand_written, negatives, positives
from tests.masking.scoring import Verdict, by_kind, judge, tally, wrong_marks

PARTS = {"dev": "development", "held": "held-back"}


def mask(text: str) -> str:
    """The engine's answer."""
    return mask_private(text).text


@cache
def verdicts_of(part: str, *, private: bool) -> tuple[Verdict, ...]:
    """Every judged case of a part: those with private pieces, or those without."""
    cases: Sequence[Case] = (*positives(), *hand_written()) if private else negatives()
    return tuple(judge(case, mask) for case in cases if case.part == part)


def by_origin(verdicts: Sequence[Verdict]) -> dict[str, list[Verdict]]:
    """Verdicts grouped by form and language."""
    groups: dict[str, list[Verdict]] = defaultdict(list)
    for verdict in verdicts:
        groups[verdict.case.origin].append(verdict)
    return dict(sorted(groups.items()))


def total_lines(part: str) -> Iterator[str]:
    """The sums of a part."""
    hits, clean = tally(verdicts_of(part, private=True)), tally(verdicts_of(part, private=False))
    yield f"== {PARTS[part]} part =="
    yield f"positives: {hits.cases} cases, {hits.pieces} pieces, found {hits.found}, recall {hits.recall:.4f}"
    yield f"           {hits.bad_cases} cases changed outside their pieces ({hits.changed} places)"
    yield f"negatives: {clean.cases} cases, {clean.bad_cases} changed ({clean.bad_share:.4%}), {clean.changed} values"


def kind_lines(part: str) -> Iterator[str]:
    """Recall by kind; wrong marks by kind."""
    wrong = Counter[str]()
    for verdict in verdicts_of(part, private=False):
        wrong.update(wrong_marks(verdict))
    kinds = by_kind(verdicts_of(part, private=True))
    yield f"{'kind':<14}{'pieces':>8}{'found':>8}{'recall':>9}{'false':>8}"
    for kind in sorted({*kinds, *wrong}):
        found, count = kinds.get(kind, (0, 0))
        recall = f"{found / count:.4f}" if count else "-"
        yield f"{kind:<14}{count:>8}{found:>8}{recall:>9}{wrong[kind]:>8}"


def origin_lines(part: str) -> Iterator[str]:
    """Recall and false positives by form and language."""
    hits, clean = by_origin(verdicts_of(part, private=True)), by_origin(verdicts_of(part, private=False))
    yield f"{'origin':<14}{'pieces':>8}{'found':>8}{'recall':>9}{'outside':>9}{'negatives':>11}{'changed':>9}"
    for origin in sorted({*hits, *clean}):
        here, there = tally(hits.get(origin, [])), tally(clean.get(origin, []))
        recall = f"{here.recall:.4f}" if here.pieces else "-"
        yield (
            f"{origin:<14}{here.pieces:>8}{here.found:>8}{recall:>9}{here.bad_cases:>9}"
            f"{there.cases:>11}{there.bad_cases:>9}"
        )


def miss_lines(part: str) -> Iterator[str]:
    """Every miss with its piece, every wrong change with what came out."""
    for verdict in (*verdicts_of(part, private=True), *verdicts_of(part, private=False)):
        for kind, piece in verdict.missed:
            yield f"MISSED  {verdict.case.id}  {kind}  {piece[:60]!r}"
        if verdict.changed:
            yield f"CHANGED {verdict.case.id}  {changed_part(verdict)}"


def changed_part(verdict: Verdict) -> str:
    """The first lines that differ, before and after (or the whole when lines moved)."""
    before, after = verdict.case.text.split("\n"), verdict.masked.split("\n")
    pairs = [f"{b!r} -> {a!r}" for b, a in zip(before, after, strict=False) if a != b]
    return "; ".join(pairs[:3])[:700]


def big_lines() -> Iterator[str]:
    """How many values changed in the large texts."""
    for name, text in (("company facts", company_facts(indent=1)), ("price table", price_table())):
        marks = mask(text).count("[REDACTED:")
        yield f"{name}: {len(text):,} characters, {marks} values changed, {'same' if mask(text) == text else 'CHANGED'}"


def report(*, misses: tuple[str, ...] = ()) -> Iterator[str]:
    """The whole report; `misses` names the parts whose misses are listed."""
    for part in PARTS:
        for lines in (total_lines, kind_lines, origin_lines):
            yield from lines(part)
            yield ""
        if part in misses:
            yield from miss_lines(part)
            yield ""
    yield from big_lines()
