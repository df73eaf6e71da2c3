"""The system prompt: all sections in order, as many as the mode wants and the budget has room for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import ceil
from typing import Literal

from finclaw_cli.prompt.additions import Additions
from finclaw_cli.prompt.builtin_sections import FIRST, LAST, MINIMAL, NOTHING_ELSE
from finclaw_cli.prompt.section import PromptContext, PromptSection, SystemPrompt
from finclaw_cli.prompt.section_maker import SectionMaker

Mode = Literal["full", "minimal", "none"]
Count = Callable[[str], float]
"""How many tokens a text has, about."""
_ONLY: dict[Mode, frozenset[str]] = {"minimal": MINIMAL, "none": NOTHING_ELSE}
GIVEN = "system"


def build_prompt(
    context: PromptContext,
    additions: Additions | None = None,
    *,
    count: Count,
    mode: Mode = "full",
    budget: int | None = None,
) -> SystemPrompt:
    """The prompt of one run.

    Args:
        context: what the run is.
        additions: what others say, beside finclaw or in its place.
        count: counts tokens, for the budget.
        mode: how much the prompt has.
        budget: the most tokens it may have. What is required stays, also where it alone has more.
    """
    sections = list(_all(context, additions or Additions()))
    only = _ONLY.get(mode)
    wanted = [section for section in sections if only is None or section.id in only]
    return _within(wanted, budget, count)


def given_prompt(text: str, schema: str, source: str) -> SystemPrompt:
    """The user's own prompt, in place of finclaw's: that alone, and the form of the answer where there is one."""
    parts = ((GIVEN, text.strip(), source), ("answer-schema", schema, "finclaw"))
    return SystemPrompt(
        sections=tuple(
            PromptSection(id=name, title="", content=content, required=True, source=whose)
            for name, content, whose in parts
            if content
        )
    )


def tokens(section: PromptSection, count: Count) -> int:
    """What a section costs, with what parts it from the next."""
    return ceil(count(section.text + "\n\n"))


def _all(context: PromptContext, additions: Additions) -> Iterator[PromptSection]:
    yield from _ours(FIRST, context, additions)
    yield from additions.sections
    yield from _ours(LAST, context, additions)


def _ours(makers: Sequence[SectionMaker], context: PromptContext, additions: Additions) -> Iterator[PromptSection]:
    for maker in makers:
        file = additions.files.get(maker.id)
        if file is None:
            section = maker(context)
        else:
            section = maker.holding(file.content, title=file.title, source=file.source) if file.content else None
        if section is not None:
            yield section


def _within(sections: list[PromptSection], budget: int | None, count: Count) -> SystemPrompt:
    """Leave out what is optional, the lowest priority first and of equal ones the later, until the rest fits."""
    if budget is None:
        return SystemPrompt(sections=tuple(sections))
    costs = {section.id: tokens(section, count) for section in sections}
    total = sum(costs.values())
    optional = sorted((s for s in reversed(sections) if not s.required), key=lambda section: section.priority)
    left_out: list[PromptSection] = []
    for section in optional:
        if total <= budget:
            break
        left_out.append(section)
        total -= costs[section.id]
    gone = {section.id for section in left_out}
    kept = tuple(section for section in sections if section.id not in gone)
    return SystemPrompt(sections=kept, left_out=tuple(left_out))
