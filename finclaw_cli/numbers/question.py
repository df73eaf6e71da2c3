"""The question for the derivations of figures, and the derivations of a reply. Pure: texts in, texts out."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field

from finclaw_cli.core.json_text import canonical
from finclaw_cli.core.messages import SOURCES_MARK
from finclaw_cli.core.record import record
from finclaw_cli.numbers.expression import CONSTANTS, LONGEST
from finclaw_cli.numbers.figure import Figure
from finclaw_cli.numbers.leaves import Leaf

ASSUMED = "assumed"
"""What stands in the place of an expression for a figure that is supposed, not claimed."""
MOST_FIGURES, _MOST_RESULTS = 60, 60
_LONGEST_INPUT, _LONGEST_REPLY, _BEFORE, _AFTER = 160, 100_000, 240, 120
_END = re.compile(r"[.!?;。](?=\s)")

RULES = f"""\
finclaw compares each number of your last answer with the results of the tools. The figures below still need a source. \
For each of them, write the calculation that its sentence claims, from the results, as one expression. finclaw \
computes it exactly and compares the value with the figure at the precision shown; some figures may be wrong.

- Write what the sentence means (that metric, entity, period and unit), also where its value is another one than the \
figure. Never choose an expression because its value equals the figure.
- Leave a figure out where the results and the user's figures do not give it.
- Write `{ASSUMED}` for a round figure that the sentence supposes and does not claim: a condition or an example ("if \
rates rise 50 basis points", "for $10,000", "per 100 yen"), a rule of thumb, a goal, a part of a name or of a fraction \
in words.
- `r1`, `r2`, … are the results listed below, `q1`, … the user's figures. A path goes into the JSON of a result: \
`r1.data.total_return`, `r1.data["Net income"]`, `r1.data.rows[0].close`, `rows[-1]`, `rows[2:5]`, `rows[*].amount`, \
`rows[category="Food"].amount`, `rows[amount<0].amount`, `rows[date>="2026-10-01"][date<"2026-11-01"].amount`. A row \
that is a list has the names of `columns`; a result that is CSV has `rows` with the names of its first line.
- `text(r1, "1,234 million")` is a number that is written like this in a text of a result.
- Operators: + - * / ** ( ). Functions: abs, sqrt, ceil, floor, min, max, sum, mean, count, and days(date, date) of \
two dates of results. Arithmetic of lists is by item: `sum(r1.data.rows[*].quantity * r1.data.rows[*].price)`.
- Values are in base units: 9 % is 0.09, 25 basis points are 0.0025, 1.2 billion is 1200000000. A number of a result \
whose name or unit is a percentage or millions counts in base units by itself, so do not convert it.
- Constants: {", ".join(map(str, sorted(CONSTANTS)))}, and powers of ten. Take every other number from a path or a \
`q`. At most 12 operations and {LONGEST} characters.

Call no tool. Reply with JSON alone: {{"sources": [{{"figure": 1, "expression": "r2.data.total / r1.data.total"}}]}}\
"""


@record(kw_only=True)
class CalledTool:
    """The name and input of the call of a result."""

    tool: str
    input: Mapping[str, object] = field(default_factory=dict)


def sources_question(
    answer: str, figures: Mapping[int, Figure], calls: Sequence[CalledTool], given: Sequence[Leaf]
) -> str:
    """The question for the derivations of figures, which are numbered by their keys; `given` are the user's figures."""
    parts = [
        f"{SOURCES_MARK}\n\n{RULES}",
        "Results:\n" + "\n".join(_results(calls)),
        "Figures of the user:\n" + "\n".join(f"q{number} = {leaf.value:f}" for number, leaf in enumerate(given, 1)),
        "Figures without a source:\n"
        + "\n".join(f"{number}. {figure.text} in: {_around(answer, figure)}" for number, figure in figures.items()),
    ]
    return "\n\n".join(part for part in parts if not part.endswith(":\n"))


def expressions_of(reply: str) -> dict[int, str]:
    """The derivation of each figure of a reply; empty where the reply has no JSON of that form."""
    start, end = reply.find("{"), reply.rfind("}")
    try:
        content = json.loads(reply[start : end + 1]) if 0 <= start < end < _LONGEST_REPLY else None
    except (ValueError, RecursionError):
        return {}
    sources = content.get("sources") if isinstance(content, dict) else None
    found: dict[int, str] = {}
    for one in sources if isinstance(sources, list) else ():
        number, text = (one.get("figure"), one.get("expression")) if isinstance(one, dict) else (None, None)
        if type(number) is int and isinstance(text, str):
            found.setdefault(number, text)
    return found


def _results(calls: Sequence[CalledTool]) -> Iterator[str]:
    for number, call in list(enumerate(calls, 1))[-_MOST_RESULTS:]:
        given = canonical(dict(call.input))
        yield f"r{number}: {call.tool} {given[:_LONGEST_INPUT]}{'…' if len(given) > _LONGEST_INPUT else ''}"


def _around(answer: str, figure: Figure) -> str:
    """The sentence of a figure, which is marked; in a table its row, after the heading of the table."""
    start = answer.rfind("\n", 0, figure.start) + 1
    end = answer.find("\n", figure.end)
    end = len(answer) if end < 0 else end
    heading = ""
    if answer[start:end].lstrip().startswith("|"):
        heading = _heading(answer, start)
    else:
        starts = [start, *(found.end() for found in _END.finditer(answer, start, figure.start))]
        after = _END.search(answer, figure.end, end)
        start, end = starts[-1], after.end() if after else end
    first, last = max(start, figure.start - _BEFORE), min(end, figure.end + _AFTER)
    marked = f"{answer[first : figure.start]}[[{answer[figure.start : figure.end]}]]{answer[figure.end : last]}"
    return " ".join(f"{heading[:_BEFORE]} {marked}".split())


def _heading(answer: str, start: int) -> str:
    """The first row of the table that a row is in; empty for that row itself."""
    first = start
    while first and answer[answer.rfind("\n", 0, first - 1) + 1 : first].lstrip().startswith("|"):
        first = answer.rfind("\n", 0, first - 1) + 1
    return "" if first == start else answer[first : answer.find("\n", first)]
