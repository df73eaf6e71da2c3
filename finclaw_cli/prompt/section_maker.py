"""How finclaw's own sections are declared: what each is called, what it weighs, and the function that words it."""

from __future__ import annotations

from collections.abc import Callable

from finclaw_cli.core.record import record
from finclaw_cli.prompt.section import OURS, PromptContext, PromptSection

Say = Callable[[PromptContext], str]


@record(kw_only=True)
class SectionMaker:
    """Makes one section for a run; None where it has nothing to say."""

    id: str
    title: str
    priority: int
    required: bool
    say: Say

    def __call__(self, context: PromptContext) -> PromptSection | None:
        content = self.say(context)
        return self.holding(content) if content else None

    def holding(self, content: str, *, title: str = "", source: str = OURS) -> PromptSection:
        """The section with the content of another author."""
        return PromptSection(
            id=self.id,
            title=title or self.title,
            content=content,
            priority=self.priority,
            required=self.required,
            source=source,
        )


def section(name: str, title: str, *, priority: int = 100, required: bool = False) -> Callable[[Say], SectionMaker]:
    """Declare a function that writes a section; empty text means that there is none."""

    def declare(say: Say) -> SectionMaker:
        return SectionMaker(id=name, title=title, priority=priority, required=required, say=say)

    return declare


def lines(*given: str) -> str:
    """A Markdown list of those that say something."""
    return "\n".join(f"- {line}" for line in given if line)
