"""The metric and the entity that the words beside each figure name."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cached_property

from finclaw_cli.core.record import record
from finclaw_cli.numbers.figure import Figure
from finclaw_cli.numbers.labels import short_names
from finclaw_cli.numbers.metrics import Mention, metrics_in
from finclaw_cli.numbers.scan import MOST_CHARS

_MOST_LABELS, _LONGEST_BETWEEN = 3_000, 120
_BREAK = re.compile(r"[.!?;。](?=\s)|\n")
# Words between two figures of one metric: `25.6 % for ACME and 21.1 % for Globex`.
_CONNECTIVE = re.compile(
    r"\b(?:and|or|versus|vs|against|for|to|is|was|at|with|of|in|by|compared|followed|the|its|it|from)\b|['’]s\b|(?:19|20)\d\d\s?년?|"
    r"으로|에서|대비|반면|[\s,.;:/()*|·–—와과는은이가로의을를에-]",
    re.IGNORECASE,
)
# Words after which a number is of something else, also where no name is repeated.
_OTHER = re.compile(r"against|versus|\bvs\b|compared|than|\bto\b|대비|보다|\s대\s", re.IGNORECASE)
_OF_IT = re.compile(r"\W{0,3}(?:(?:for|at|of|in|on|from)\s+(?:the\s+)?)?\W{0,3}$", re.IGNORECASE)
_AFTER = re.compile(r"\W{0,3}(?:for|at|of|in|on|from)\s+(?:the\s+)?\W{0,2}$|\s?\($", re.IGNORECASE)
_ADJECTIVE = re.compile(r"[\s*_]{0,4}(?:(?:on|in|by)\s(?:the\s)?)?(?:[a-z]{2,14}\s)?$", re.IGNORECASE)
_WORD = re.compile(r"[a-z]+|[가-힣]+")
_SHOUT = re.compile(r"[A-Z0-9.^&-]{1,6}$")


@record
class Context:
    """The names beside one figure; empty where there are none."""

    metrics: frozenset[str] = frozenset()
    entities: frozenset[str] = frozenset()
    """The labels of results, as their tools give them."""
    around: frozenset[str] = frozenset()
    """The metrics that the whole line, and the heading above it, name."""
    entities_around: frozenset[str] = frozenset()
    asked: frozenset[str] = frozenset()
    """The metrics of the question, where the line names none."""
    words: frozenset[str] = frozenset()
    """The words of the line and of the heading above it."""


class Names:
    """The names of a text: metrics, and the labels of results."""

    def __init__(self, text: str, labels: Iterable[str], question: str = "") -> None:
        self._asked = frozenset(one.name for one in metrics_in(question))
        self._text = text = text[:MOST_CHARS]
        self._aliases = _aliases(labels)
        self._of_lines: dict[int, Context] = {}
        self._metrics = metrics_in(text)
        self._entities = self._mentions()
        self._starts = {kind: [one.start for one in found] for kind, found in self._kinds.items()}

    @cached_property
    def _kinds(self) -> dict[str, list[Mention]]:
        return {"metrics": self._metrics, "entities": self._entities}

    def contexts(self, found: Sequence[Figure]) -> list[Context]:
        """The context of each figure, in order."""
        contexts: list[Context] = []
        for at, figure in enumerate(found):
            before = found[at - 1] if at else None
            contexts.append(self._context(figure, before, contexts[-1] if contexts else None))
        return contexts

    def between(self, kind: str, start: int, end: int) -> list[Mention]:
        """The mentions of a part of the text."""
        starts, found = self._starts[kind], self._kinds[kind]
        return found[bisect_left(starts, start) : bisect_left(starts, end)]

    def _context(self, figure: Figure, before: Figure | None, last: Context | None) -> Context:
        line, end = self._line(figure)
        made = self._in_table(figure, line, end) if self._is_row(line) else self._in_line(figure, before, last)
        if line not in self._of_lines:
            self._of_lines[line] = self._of_line(line, end)
        whole = self._of_lines[line]
        around = whole.around | made.metrics
        return replace(
            made,
            around=around,
            entities_around=whole.entities_around | made.entities,
            asked=frozenset() if around else self._asked,
            words=whole.words,
        )

    def _line(self, figure: Figure) -> tuple[int, int]:
        """Where the line of a figure begins and ends."""
        end = self._text.find("\n", figure.start)
        return self._text.rfind("\n", 0, figure.start) + 1, len(self._text) if end < 0 else end

    def _of_line(self, start: int, end: int) -> Context:
        """What a whole line and the heading above it name."""
        spans = [(start, end), self._heading(start)]
        return Context(
            around=frozenset(one.name for span in spans for one in self.between("metrics", *span)),
            entities_around=frozenset(
                label for span in spans for one in self.between("entities", *span) for label in self._labels(one)
            ),
            words=frozenset(word for first, last in spans for word in _WORD.findall(self._text[first:last].lower())),
        )

    def _in_line(self, figure: Figure, before: Figure | None, last: Context | None) -> Context:
        start = max(_sentence_start(self._text, figure.start), before.end if before else 0)
        carried = last if before and last and start == before.end and self._connects(before.end, figure.start) else None
        metrics = self._beside("metrics", start, figure, carried.metrics if carried else frozenset())
        same = _OTHER.search(self._text[start : figure.start]) is None
        return Context(
            metrics=metrics,
            entities=self._beside("entities", start, figure, carried.entities if carried and same else frozenset())
            or (self._subject(figure) if metrics and same and not carried else frozenset()),
        )

    def _connects(self, start: int, end: int) -> bool:
        """Whether only entities and words that connect stand between two figures."""
        if end - start > _LONGEST_BETWEEN:
            return False
        left, at = "", start
        for one in self.between("entities", start, end):
            left, at = left + self._text[at : one.start] + " ", max(at, one.end)
        return not _CONNECTIVE.sub("", left + self._text[at:end])

    def _beside(self, kind: str, start: int, figure: Figure, carried: frozenset[str]) -> frozenset[str]:
        """The names between the figure before and this one, and the one right after it."""
        after = self._after(kind, figure)
        between = [one for one in self.between(kind, start, figure.start) if one.start >= start]
        if after and between and _OF_IT.match(self._text[start : between[0].start]):
            between = between[1:]  # the first belongs to the figure before
        elif between and len(between) > 1 and kind == "entities":
            between = between[-2:]
        if kind == "entities":
            other = [found.end() for found in _OTHER.finditer(self._text, start, figure.start)]
            between = [
                one for one in between if not other or one.start >= other[-1] or self._text[other[-1] - 1] >= "가"
            ]
        named = frozenset(label for one in [*between, *after] for label in self._labels(one))
        return named or carried

    def _after(self, kind: str, figure: Figure) -> list[Mention]:
        for one in self.between(kind, figure.end, figure.end + 60)[:1]:
            words = self._text[figure.end : one.start]
            if (_AFTER if kind == "entities" else _ADJECTIVE).match(words):
                return [one]
        return []

    def _subject(self, figure: Figure) -> frozenset[str]:
        """The entities that the same sentence names before the figure."""
        start = _sentence_start(self._text, figure.start)
        return frozenset(label for one in self.between("entities", start, figure.start) for label in self._labels(one))

    def _in_table(self, figure: Figure, line: int, line_end: int) -> Context:
        """The names of the first cells of the row, and of the heading of the column."""
        column = self._text.count("|", line, figure.start)
        header = self._header(line)
        spans = [_cell(self._text, line, line_end, 1), _cell(self._text, line, line_end, column)]
        if header is not None:
            spans.append(_cell(self._text, *header, column))
        return Context(
            metrics=frozenset(one.name for span in spans for one in self.between("metrics", *span)),
            entities=frozenset(
                label for span in spans for one in self.between("entities", *span) for label in self._labels(one)
            ),
        )

    def _is_row(self, line: int) -> bool:
        return self._text[line : line + 8].lstrip().startswith("|")

    def _header(self, line: int) -> tuple[int, int] | None:
        header = None
        while line and self._is_row(line):
            header, line = (line, self._text.find("\n", line)), self._text.rfind("\n", 0, line - 1) + 1
        if line == 0 and self._is_row(0):
            header = (0, self._text.find("\n"))
        return header

    def _heading(self, line: int) -> tuple[int, int]:
        """The nearest line above that ends with a colon or has the look of a heading; else nothing."""
        for _ in range(12):
            if line <= 0:
                break
            end, line = line - 1, self._text.rfind("\n", 0, line - 1) + 1
            text = self._text[line:end].strip()
            if text.endswith((":", "：", ":**", "**")) or text.startswith("#"):
                return line, end
        return 0, 0

    def _labels(self, one: Mention) -> Iterable[str]:
        return self._aliases.get(one.name, (one.name,))

    def _mentions(self) -> list[Mention]:
        if not self._aliases:
            return []
        pattern = "|".join(_pattern(alias) for alias in sorted(self._aliases, key=len, reverse=True))
        found = re.finditer(pattern, self._text)
        keys = {alias.lower(): alias for alias in self._aliases}
        return [
            Mention(one.start(), one.end(), one[0] if one[0] in self._aliases else keys[one[0].lower()])
            for one in found
        ]


def _aliases(labels: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """The labels that each short name may stand for."""
    distinct = list(dict.fromkeys(labels))[:_MOST_LABELS]
    found: dict[str, tuple[str, ...]] = {}
    for label in distinct:
        for alias in dict.fromkeys(short_names(label)):
            if len(alias) > 1:
                found[alias] = (*found.get(alias, ()), label)
    return found


def _pattern(alias: str) -> str:
    """A short name as a whole word; words in capitals are written in capitals."""
    body = re.escape(alias) if _SHOUT.match(alias) else f"(?i:{re.escape(alias)})"
    before = r"(?<![A-Za-z0-9])" if alias[0].isascii() else ""
    return before + body + (r"(?![A-Za-z0-9])" if alias[-1].isascii() else "")


def _sentence_start(text: str, place: int) -> int:
    start = text.rfind("\n", 0, place) + 1
    ends = [found.end() for found in _BREAK.finditer(text, max(start, place - 400), place)]
    return max(start, ends[-1] if ends else 0)


def _cell(text: str, line: int, line_end: int, number: int) -> tuple[int, int]:
    """The span of a cell of a row of a table, the first one being 1."""
    at = line
    for _ in range(number):
        at = text.find("|", at, line_end) + 1
        if not at:
            return line, line
    end = text.find("|", at, line_end)
    return at, line_end if end < 0 else end
