"""What a system prompt is made of: sections, the facts they are made from, and the whole."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field
from datetime import date, datetime
from typing import Literal

from finclaw_cli.catalog.exchanges import MarketState
from finclaw_cli.core.record import record
from finclaw_cli.core.tool import GROUPS, Group, ToolGroup, ToolSpec

# What changes from run to run stands after all else, so that all else can stay in the provider's cache.
CHANGING = frozenset({"current-state", "memory"})
OURS = "finclaw"


@record(kw_only=True)
class PromptSection:
    """One part of the system prompt, in Markdown."""

    id: str
    """Lower-case words with hyphens between them."""
    title: str
    """Its heading; without one the content stands alone."""
    content: str
    priority: int = 40
    """0 to 100: under a token budget the lowest goes first."""
    required: bool = False
    """Whether it stays whatever the budget. Only finclaw's own can be."""
    source: str = OURS
    """`finclaw`, `user`, `project`, or `plugin:` and a distribution."""

    @property
    def text(self) -> str:
        """As it stands in the prompt."""
        return f"# {self.title}\n\n{self.content}" if self.title else self.content


@record(kw_only=True)
class Profile:
    """Who asks, as the settings say it."""

    level: Literal["retail", "professional", "institutional"] = "retail"
    risk_tolerance: Literal["conservative", "moderate", "aggressive"] | None = None
    markets: tuple[str, ...] = ()
    """Exchanges by their codes (ISO 10383)."""
    currency: str | None = None
    language: str | None = None


@record(kw_only=True)
class PromptContext:
    """What sections may know of the run that they are made for."""

    now: datetime
    """In the user's time zone."""
    zone: str = ""
    """The time zone's name, where it has one."""
    tools: tuple[ToolSpec, ...] = ()
    groups: Mapping[ToolGroup, Group] = field(default_factory=lambda: GROUPS)
    channel: str = "pipe"
    """Where the run came from: `tty`, `pipe` or `ci`."""
    as_of: date | None = None
    profile: Profile = Profile()
    markets: tuple[MarketState, ...] = ()
    """Of the preferred markets, as far as they are known."""
    skills: str = ""
    """The text on the skills."""
    schema: str = ""
    """The text on the form of the answer."""
    summary_mark: str = ""
    """What a message begins with that stands for earlier talk; empty where there is none in this conversation."""


@record(kw_only=True)
class SystemPrompt:
    """The system prompt, which precedes the conversation."""

    sections: tuple[PromptSection, ...] = ()
    left_out: tuple[PromptSection, ...] = ()
    """For which the budget had no room."""

    @property
    def text(self) -> str:
        """What stays the same from run to run."""
        return _joined(section for section in self.sections if section.id not in CHANGING)

    @property
    def state(self) -> str:
        """What changes, and so comes last."""
        return _joined(section for section in self.sections if section.id in CHANGING)

    @property
    def dropped(self) -> tuple[str, ...]:
        """The sections for which the budget had no room, by their ids."""
        return tuple(section.id for section in self.left_out)


def _joined(sections: Iterable[PromptSection]) -> str:
    return "\n\n".join(section.text for section in sections)
