"""The user's table `[plugin.finclaw-paper]`: what the account is, and what an order may at most be."""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, Field, field_validator

PAPER_URL = "https://paper-api.alpaca.markets"
_LARGEST = Decimal(10) ** 15
_DECIMALS = 12
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,99}")


def _exact(value: object) -> Decimal:
    if isinstance(value, float):
        raise ValueError('is a binary fraction and so not exact; write it in quotes, as in "0.1"')  # noqa: TRY004 - pydantic's way
    if isinstance(value, bool) or not isinstance(value, str | int | Decimal):
        raise ValueError('must be a decimal number in quotes, as in "1000.50"')  # noqa: TRY004 - pydantic's way
    try:
        number = Decimal(value)
    except InvalidOperation:
        raise ValueError("is not a decimal number") from None
    exponent = number.as_tuple().exponent
    if not isinstance(exponent, int) or number < 0 or number > _LARGEST or exponent < -_DECIMALS:
        raise ValueError(f"must be from 0 to {_LARGEST:f}, with at most {_DECIMALS} decimals")
    return number


Money = Annotated[Decimal, BeforeValidator(_exact)]


class PaperSettings(BaseModel, frozen=True):
    """Amounts are in `currency`; a limit that is not set does not limit."""

    broker: Literal["local", "alpaca"] = "local"
    currency: Annotated[str, Field(pattern=r"^[A-Z]{3}$")] = "USD"
    starting_cash: Money = Decimal(100_000)
    fee: Money = Decimal(0)
    max_order: Money | None = None
    max_day: Money | None = None
    symbols: list[str] | None = None
    sides: list[Literal["buy", "sell"]] = ["buy", "sell"]
    shorting: bool = False
    doubtful_prices: Literal["refuse", "accept"] = "refuse"
    repeat_window_s: Annotated[int, Field(ge=0, le=86_400)] = 60
    base_url: str = PAPER_URL
    key_variable: str = "APCA_API_KEY_ID"
    secret_variable: str = "APCA_API_SECRET_KEY"  # noqa: S105 - the name of a variable
    timeout_s: Annotated[int, Field(ge=1, le=8)] = 8

    @field_validator("symbols")
    @classmethod
    def _upper(cls, given: list[str] | None) -> list[str] | None:
        return None if given is None else [symbol.strip().upper() for symbol in given]

    @field_validator("key_variable", "secret_variable")
    @classmethod
    def _name(cls, given: str) -> str:
        if not _VARIABLE.fullmatch(given):
            raise ValueError("must be the name of an environment variable, not a key")
        return given

    @field_validator("base_url")
    @classmethod
    def _paper_only(cls, given: str) -> str:
        url = given.removesuffix("/")
        if url == PAPER_URL:
            return url
        from finclaw_cli.sdk.http import is_allowed_address

        if is_allowed_address(url, hosts=()):
            return url
        raise ValueError(f"must be {PAPER_URL} or a loopback address: only paper trading is offered")
