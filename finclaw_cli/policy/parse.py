"""Reading rules from TOML, strictly: what is not understood is refused, because a rule left out allows too much."""

from __future__ import annotations

import re
import tomllib
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from finclaw_cli.core.errors import UsageError
from finclaw_cli.core.ports import Decision
from finclaw_cli.core.tool import GROUPS
from finclaw_cli.policy.rules import Level, PolicyRule, Scope

CHANNELS = ("tty", "pipe", "ci", "batch", "serve")
MAX_RULES = 10_000
_PATTERN = re.compile(r"(?:[a-z]+:)?[a-z0-9_*?\[\]!.-]{1,200}")
HINT = "`finclaw policy check FILE` checks a file; the README shows the form."


class _Rule(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    scope: Scope
    pattern: str = "*"
    verdict: Decision
    subject: str | None = Field(None, min_length=1)
    reason: str = Field("", max_length=500)
    priority: int = Field(0, ge=-1_000_000, le=1_000_000)

    @model_validator(mode="after")
    def _fits(self) -> _Rule:
        """Refuse what could never match, since its author believes that it does."""
        if not _PATTERN.fullmatch(self.pattern):
            raise ValueError(f"pattern {self.pattern!r} can match no tool: names are [a-z0-9_], globs * ? [ ]")
        if self.pattern.count("[") != self.pattern.count("]"):
            raise ValueError(f"pattern {self.pattern!r} can match no tool: a bracket is open")
        group = self.pattern.rpartition(":")[0]
        if group and group not in GROUPS:
            raise ValueError(f"there is no group {group!r}; groups: {', '.join(GROUPS)}")
        if self.scope == "channel" and self.subject not in {None, *CHANNELS}:
            raise ValueError(f"there is no channel {self.subject!r}; channels: {', '.join(CHANNELS)}")
        if self.scope == "group" and self.subject not in {None, *GROUPS}:
            raise ValueError(f"there is no group {self.subject!r}; groups: {', '.join(GROUPS)}")
        if self.scope in {"global", "tool"} and self.subject is not None:
            raise ValueError(f"a rule of scope {self.scope!r} has no subject: its pattern says which tools")
        return self


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    version: Literal[1] = 1
    rule: list[_Rule] = Field([], max_length=MAX_RULES)


def parse_rules(text: str, *, origin: str, level: Level) -> tuple[PolicyRule, ...]:
    """The rules in a policy file.

    Raises:
        UsageError: it is not TOML, has an unknown key, a wrong value, or a rule that can never match.
    """
    try:
        content = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # a number of a million digits is one, too
        raise UsageError(f"{origin}: not valid TOML: {error}", hint=HINT, code="bad_policy") from error
    try:
        parsed = _File.model_validate(content)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(str(part + 1) if isinstance(part, int) else part for part in first["loc"])
        message = f"{origin}: {where}: {first['msg'].removeprefix('Value error, ')}"
        raise UsageError(message, hint=HINT, code="bad_policy") from error
    return tuple(PolicyRule(level=level, origin=origin, **dict(rule)) for rule in parsed.rule)
