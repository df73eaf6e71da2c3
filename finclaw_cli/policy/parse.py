"""Reading rules from TOML, strictly: what is not understood is refused, because a rule left out allows too much."""

from __future__ import annotations

import tomllib
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_validator
from pydantic_core import ErrorDetails

from finclaw_cli.core.errors import UsageError
from finclaw_cli.core.ports import Decision
from finclaw_cli.core.tool import GROUPS
from finclaw_cli.policy.patterns import fault_of, normal_pattern
from finclaw_cli.policy.rules import CHANNELS, HINT, Level, PolicyRule, Scope

MAX_RULES = 10_000


class _Rule(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    scope: Scope
    pattern: Annotated[str, AfterValidator(normal_pattern)] = "*"
    verdict: Decision
    subject: str | None = Field(None, min_length=1)
    reason: str = Field("", max_length=500)
    priority: int = Field(0, ge=-1_000_000, le=1_000_000)

    @model_validator(mode="after")
    def _fits(self) -> _Rule:
        """Refuse what could never match, or matches more than was written: its author believes otherwise."""
        if self.scope == "tool" and "pattern" not in self.model_fields_set:
            raise ValueError("'pattern' is missing: it names the tools that a rule of scope 'tool' is for")
        if fault := fault_of(self.pattern):
            raise ValueError(f"pattern {self.pattern!r} can match no tool: {fault}")
        group = self.pattern.rpartition(":")[0]
        if group and group not in GROUPS:
            raise ValueError(f"there is no group {group!r}; groups: {', '.join(GROUPS)}")
        if self.scope == "channel" and self.subject not in {None, *CHANNELS}:
            raise ValueError(f"there is no channel {self.subject!r}; channels: {', '.join(CHANNELS)}")
        if self.scope == "group" and self.subject not in {None, *GROUPS}:
            raise ValueError(f"there is no group {self.subject!r}; groups: {', '.join(GROUPS)}")
        if self.scope in {"global", "tool"} and self.subject is not None:
            raise ValueError(f"a rule of scope {self.scope!r} has no subject: its pattern names the tools")
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
        message = f"{origin}: {_problem(error.errors(include_url=False)[0])}"
        raise UsageError(message, hint=HINT, code="bad_policy") from error
    return tuple(PolicyRule(level=level, origin=origin, **dict(rule)) for rule in parsed.rule)


def _problem(error: ErrorDetails) -> str:
    """What is wrong, and where: the rule by its number, the key by its name."""
    table, *inside = error["loc"]
    number, keys = (inside[0], inside[1:]) if inside else (None, [table])
    where = f"{table} {number + 1}: " if isinstance(number, int) else f"{table}: " if inside else ""
    key = "".join(f"{key!r}" for key in keys)
    match error["type"]:
        case "missing":
            return f"{where}{key} is missing"
        case "extra_forbidden":
            known = _File.model_fields if not inside else _Rule.model_fields
            return f"{where}there is no key {key}; keys: {', '.join(known)}"
        case _:
            message = error["msg"].removeprefix("Value error, ")
            return f"{where}{key}: {message}" if key else f"{where}{message}"
