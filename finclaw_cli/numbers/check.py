"""Trace every figure of an answer to a tool's result, or report that it has no source."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import cached_property, lru_cache

from finclaw_cli.core.events.numbers import NumberStatus
from finclaw_cli.core.messages import Message, ToolCall, ToolResultBlock
from finclaw_cli.core.record import record
from finclaw_cli.numbers.assumed import is_assumed, is_round
from finclaw_cli.numbers.context import Context, Names
from finclaw_cli.numbers.derivation import MOST_GIVEN, Derivation, Derivations, readings
from finclaw_cli.numbers.figure import Figure, Kind
from finclaw_cli.numbers.leaves import leaves
from finclaw_cli.numbers.question import ASSUMED, MOST_FIGURES, CalledTool, expressions_of, sources_question
from finclaw_cli.numbers.scales import multiple
from finclaw_cli.numbers.scan import figures
from finclaw_cli.numbers.sources import Sources, Traced
from finclaw_cli.numbers.trace import Index

EXPRESSION = "expression"
_METHOD = "method."
_SCALE = re.compile(
    r"\((?:단위\s?:?\s?|in )?([^()\n]{0,12}(?:[천만억조]\s?(?:원|달러)|illions?|housands?))\)|\bin ([a-z]+s)\b"
)
_LONGEST_QUESTION = 4_000
_DIGIT = re.compile(r"[\d.,]|.?\s?\d$")


@record(kw_only=True)
class ToolAnswer(CalledTool):
    """The result of one call."""

    call_id: str
    text: str


@record(kw_only=True)
class Checked:
    """One figure of an answer and its source.

    `paths` leads to the number in the result of that call, or to the operands of `expression`; where these are of
    several calls, each begins with its call.
    """

    figure: Figure
    status: NumberStatus
    call_id: str | None = None
    tool: str | None = None
    paths: tuple[str, ...] = ()
    how: str | None = None
    expression: str | None = None


class AnswerCheck:
    """The figures of an answer: what rules find, then what the derivations of a model give.

    Args of the constructor:
        answer: the final text.
        given: the user's messages, whose figures need no source.
        results: the results of tools, the oldest first.
    """

    def __init__(self, answer: str, given: Sequence[str], results: Sequence[ToolAnswer]) -> None:
        self._answer = answer
        self._results = results
        self._questions = "\n".join(given)
        self._given = [leaf for text in given for leaf in leaves(text)]
        self._sources = Sources(
            [result.text for result in results],
            [_index(result.text) for result in results],
            [result.input for result in results],
        )
        self._found = _scaled(answer, figures(answer))
        names = Names(answer, self._sources.labels, self._questions[-_LONGEST_QUESTION:])
        self._contexts = names.contexts(self._found)
        self._shown = [self._trace(*one) for one in zip(self._found, self._contexts, strict=True)]
        self.checked = [self._by_rules(*one) for one in zip(self._found, self._shown, strict=True)]
        """Each figure with the source that rules find."""

    @cached_property
    def unproved(self) -> Mapping[int, Figure]:
        """The figures without a source or with a doubtful one, by number from 1: they need a derivation."""
        if not self._results:
            return {}
        found = enumerate(self._found)
        unproved = [figure for at, figure in found if self._lacks_source(at) or self._is_doubtful(at)]
        return dict(enumerate(unproved[:MOST_FIGURES], 1))

    def question(self) -> str:
        """The question for the derivations of these."""
        return sources_question(self._answer, self.unproved, self._results, self._given[:MOST_GIVEN])

    def with_reply(self, reply: str) -> list[Checked]:
        """Each figure with the source that rules find, or that a reply to the question gives.

        A doubtful one stays where the reply has no derivations at all.
        """
        expressions = expressions_of(reply)
        derivations = Derivations([result.text for result in self._results], self._given, self._questions)
        checked = list(self.checked)
        for number, figure in self.unproved.items() if expressions else ():
            at, expression = self._found.index(figure), expressions.get(number, "")
            if expression.strip() == ASSUMED and is_round(figure):
                checked[at] = Checked(figure=figure, status="given")
            elif (found := derivations.of(figure, expression)) is None or not self._agrees(figure, found, at):
                checked[at] = Checked(figure=figure, status="ungrounded")
            elif self._lacks_source(at):
                checked[at] = self._derived(figure, found)
        return checked

    def _trace(self, figure: Figure, context: Context) -> Traced | None:
        return next((found for way in readings(figure) if (found := self._sources.shown(way, context))), None)

    def _by_rules(self, figure: Figure, shown: Traced | None) -> Checked:
        if shown is not None:
            return self._in_result(shown.result, figure, (shown.leaf.path,))
        if self._given_index.shown_as(figure) is not None or is_assumed(self._answer, figure):
            return Checked(figure=figure, status="given")
        return self._literal(figure) or Checked(figure=figure, status="ungrounded")

    @cached_property
    def _given_index(self) -> Index:
        return Index(self._given)

    def _literal(self, figure: Figure) -> Checked | None:
        """A literal text of a result that is none of its numbers: `12 months`."""
        if figure.kind is Kind.PLAIN:
            return None
        for result, source in enumerate(self._results):
            at = source.text.find(figure.text)
            around = source.text[max(0, at - 1) : at + len(figure.text) + 1] if at >= 0 else ""
            if around and not _DIGIT.match(around.replace(figure.text, " ", 1)):
                return self._in_result(result, figure, ())
        return None

    def _in_result(self, result: int, figure: Figure, paths: tuple[str, ...]) -> Checked:
        source = self._results[result]
        return Checked(figure=figure, status="found", call_id=source.call_id, tool=source.tool, paths=paths)

    def _lacks_source(self, at: int) -> bool:
        return self.checked[at].status == "ungrounded"

    def _is_doubtful(self, at: int) -> bool:
        """Whether a source may be that of another figure.

        The answer has the same figure more than once, so that one may stand in the place of another; or the source is a
        text that describes a method.
        """
        if is_assumed(self._answer, self._found[at]):
            return False
        paths = self.checked[at].paths
        return self._repeated[_same(self._found[at])] > 1 or (bool(paths) and paths[0].startswith(_METHOD))

    @cached_property
    def _repeated(self) -> Counter[tuple[Kind, Decimal]]:
        return Counter(map(_same, self._found))

    def _agrees(self, figure: Figure, found: Derivation, at: int) -> bool:
        """Whether a derivation that is a single number is none of another metric than the text names.

        Which entity it is of, the model knows better than the words beside it.
        """
        if not found.is_path or not found.places or (leaf := found.places[0].leaf) is None:
            return True
        context = replace(self._contexts[at], entities=frozenset())
        hit = Traced(found.places[0].result, leaf)
        return any(self._sources.agrees(way, hit, context) for way in readings(figure))

    def _derived(self, figure: Figure, found: Derivation) -> Checked:
        results = sorted({place.result for place in found.places})
        last = self._results[results[-1]] if results else None
        call_id, tool = (last.call_id, last.tool) if last else (None, None)
        paths = (
            place.path if len(results) == 1 else f"{self._results[place.result].call_id}:{place.path}"
            for place in found.places
        )
        return Checked(
            figure=figure, status="derived", call_id=call_id, tool=tool, paths=tuple(paths),
            how=EXPRESSION, expression=found.expression,
        )  # fmt: skip


def check_after(messages: Sequence[Message], answer: str) -> AnswerCheck:
    """The check of an answer after the messages of a conversation, with all results that were no errors."""
    calls = {call.id: call for message in messages for call in message.tool_calls}
    blocks = [block for message in messages if not isinstance(message.content, str) for block in message.content]
    results = [block for block in blocks if isinstance(block, ToolResultBlock) and not block.is_error]
    return AnswerCheck(
        answer,
        [message.text for message in messages if message.is_question],
        [_tool_answer(block, calls.get(block.tool_use_id)) for block in results],
    )


def _tool_answer(block: ToolResultBlock, call: ToolCall | None) -> ToolAnswer:
    name, given = (call.name, call.input) if call else ("", {})
    return ToolAnswer(call_id=block.tool_use_id, tool=name, input=given, text=block.content)


def _same(figure: Figure) -> tuple[Kind, Decimal]:
    return figure.kind, abs(figure.value)


def _scaled(answer: str, found: Sequence[Figure]) -> list[Figure]:
    """The figures, those of tables with the scale that the answer gives: `(억 원)`, `in millions`."""
    scale = _SCALE.search(answer)
    times = multiple(scale[1] or scale[2]) if scale else Decimal(1)
    return [
        replace(figure, table_scale=times) if times > 1 and _in_table(answer, figure) else figure for figure in found
    ]


def _in_table(answer: str, figure: Figure) -> bool:
    line = answer[answer.rfind("\n", 0, figure.start) + 1 : figure.start]
    return line.lstrip().startswith("|")


@lru_cache(maxsize=256)
def _index(result: str) -> Index:
    """The numbers of a result, which each later answer of a conversation is checked against again."""
    return Index(leaves(result))
