"""The tables of a settings file."""

from __future__ import annotations

from dataclasses import field
from decimal import Decimal
from typing import Annotated, Literal

from finclaw_cli.core.checked import AtMost, Matching, NotBlank, ReadBy, Within
from finclaw_cli.core.record import record
from finclaw_cli.core.tool import GROUPS, Offer, ToolGroup
from finclaw_cli.providers.facts import Api
from finclaw_cli.settings.money import dollars

Seconds = Annotated[float, Within(0, 86_400, above=True)]
Count = Annotated[int, Within(1, 1_000_000)]
Share = Annotated[float, Within(0, 1)]
PerMinute = Annotated[int, Within(1, 1_000_000_000)]

Dollars = Annotated[Decimal, ReadBy(dollars)]
"""An amount, or a price per million tokens, in USD."""


def _headers(given: object) -> dict[str, str]:
    from finclaw_cli.settings.headers import request_headers  # most settings have none

    return request_headers(given)


Name = Annotated[str, Matching(r"\A[A-Za-z0-9][A-Za-z0-9._-]{0,63}\Z")]


Filled = Annotated[str, NotBlank()]
"""A text that is not left empty, as by an unset variable of a shell."""


@record(kw_only=True)
class ProviderSettings:
    """`[providers.NAME]`: the address of a provider, the variable with its key, and further request headers.

    A name that no installed provider has defines a compatible server; `api` is its dialect.
    """

    base_url: Filled | None = None
    key_variable: Filled | None = None
    api: Api | None = None
    headers: Annotated[dict[str, str], ReadBy(_headers, is_secret=True)] = field(default_factory=dict)


@record(kw_only=True)
class PluginSettings:
    """`[plugins]`: which plugins may be used; `only` is also `FINCLAW_PLUGINS=a,b`."""

    only: list[str] | None = None
    deny: list[str] = field(default_factory=list)


@record(kw_only=True)
class BreakerSettings:
    """`[tool.breakers.NAME]`: how many failures in a row open an external tool's circuit, and for how long."""

    failures: Annotated[int, Within(1, 1_000)] = 5
    open: Seconds = 30.0


@record(kw_only=True)
class ToolGuardSettings:
    """`[tool.guard.NAME]`: what of a tool's result a model gets: HTML as it is, private data unmasked."""

    allow_html: bool = False
    mask_private: bool = True


@record(kw_only=True)
class ToolSettings:
    """`[tool]`: what holds for single tools, by their names.

    Which plugin a name belongs to where several claim it, timeouts, groups, circuit breakers, and what of their results
    a model gets.
    """

    prefer: dict[str, str] = field(default_factory=dict)
    timeouts: dict[str, Seconds] = field(default_factory=dict)
    groups: dict[str, ToolGroup] = field(default_factory=dict)
    breakers: dict[str, BreakerSettings] = field(default_factory=dict)
    guard: dict[str, ToolGuardSettings] = field(default_factory=dict)


@record(kw_only=True)
class GroupSettings:
    """`[groups.NAME]`: when a model is offered the tools of a group, and what they are for, in the system prompt."""

    offer: Offer | None = None
    description: Filled | None = None


def known_groups(groups: dict[str, GroupSettings]) -> dict[str, GroupSettings]:
    """Return the groups.

    Raises:
        ValueError: there is no group of some name.
    """
    for name in groups:
        if name not in GROUPS:
            raise ValueError(f"there is no group {name[:80]!r}; groups: {', '.join(GROUPS)}")
    return groups


@record(kw_only=True)
class ModelSettings:
    """`[models."provider:model"]`: what is known of a model better than by the price data.

    Window and output are tokens, prices USD per million tokens. Prices stand for the model's whole price list: a cache
    price that is missing is that of input, one for an hour's writes that of all writes. The limits a minute hold for
    batches; `tokens_per_minute` is of both, input and output.
    """

    window: Annotated[int, Within(1_000, 100_000_000)] | None = None
    max_output: Annotated[int, Within(1, 100_000_000)] | None = None
    input_usd: Dollars | None = None
    output_usd: Dollars | None = None
    cache_read_usd: Dollars | None = None
    cache_write_usd: Dollars | None = None
    cache_write_1h_usd: Dollars | None = None
    requests_per_minute: PerMinute | None = None
    tokens_per_minute: PerMinute | None = None
    input_tokens_per_minute: PerMinute | None = None
    output_tokens_per_minute: PerMinute | None = None

    def __post_init__(self) -> None:
        if (self.input_usd is None) != (self.output_usd is None):
            raise ValueError("input_usd and output_usd go together: neither stands alone")
        cached = (self.cache_read_usd, self.cache_write_usd, self.cache_write_1h_usd)
        if self.input_usd is None and any(price is not None for price in cached):
            raise ValueError("cache prices need input_usd and output_usd beside them")


@record(kw_only=True)
class BudgetSettings:
    """`[budget]`: the most that all runs together may cost in a day, in a month; USD, days of the local time zone."""

    daily: Dollars | None = None
    monthly: Dollars | None = None


@record(kw_only=True)
class ProfileSettings:
    """`[profile]`: the user. It shapes what the system prompt has on compliance, risk and the user.

    `markets` are exchanges by their codes (ISO 10383), `currency` is ISO 4217, `language` a tag such as `ko`.
    """

    level: Literal["retail", "professional", "institutional"] = "retail"
    risk_tolerance: Literal["conservative", "moderate", "aggressive"] | None = None
    markets: Annotated[list[Annotated[str, Matching(r"\A[A-Z0-9]{4}\Z")]], AtMost(20)] = field(default_factory=list)
    currency: Annotated[str, Matching(r"\A[A-Z]{3}\Z")] | None = None
    language: Annotated[str, Matching(r"\A[a-z]{2,3}(-[A-Za-z0-9]{2,8})*\Z")] | None = None


def without_circles(aliases: dict[str, str]) -> dict[str, str]:
    """Return the aliases.

    Raises:
        ValueError: some lead back to themselves.
    """
    straight: set[str] = set()
    for alias in aliases:
        name, way = alias, dict[str, None]()
        while name in aliases and name not in straight:
            if name in way:
                raise ValueError(f"{' -> '.join((*way, name))[:200]} leads in a circle")
            way[name] = None
            name = aliases[name]
        straight.update(way)
    return aliases
