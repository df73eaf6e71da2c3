"""Profiles: how the exports of one shape are read, as TOML; some are shipped, users write their own."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from finclaw_cli.sdk.render import bounded, quoted
from finclaw_cli.sdk.tabular import BadOption
from finclaw_ledger.entries import Kind
from finclaw_ledger.names import shown_name

FOLDER = "ledger-profiles"
ROLES = (
    "date", "amount", "debit", "credit", "direction", "currency", "account", "payee", "memo", "category", "kind",
    "balance", "symbol", "quantity", "price", "fee", "status", "payer",
)  # fmt: skip
Role = Literal[
    "date", "amount", "debit", "credit", "direction", "currency", "account", "payee", "memo", "category", "kind",
    "balance", "symbol", "quantity", "price", "fee", "status", "payer",
]  # fmt: skip
_MAX_BYTES = 100_000
_MAX_FILES = 200
_MOST = 500
_MOST_COLUMNS = 200
DEBIT_WORDS = [
    "D", "DR", "DBIT", "DB", "Debit", "Debet", "S", "Soll", "Out", "Outflow", "Withdrawal", "Af", "-", "출금", "지급",
]  # fmt: skip
CREDIT_WORDS = ["C", "CR", "CRDT", "Credit", "H", "Haben", "In", "Inflow", "Deposit", "Bij", "+", "입금"]
"""What columns of directions have, in English, German, Dutch and Korean; of two that mean both, as K, none."""
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,60}")
Words = Annotated[list[Annotated[str, Field(min_length=1, max_length=100)]], Field(max_length=_MOST)]


class CategoryRule(BaseModel):
    """Bookings whose payee or memo contains `match`, in any case, are of that category."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    match: Annotated[str, Field(min_length=1, max_length=100)]
    name: Annotated[str, Field(min_length=1, max_length=100)]
    kind: Kind | None = None


class Profile(BaseModel):
    """The columns by the names that headers give them, and how cells are written."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = ""
    title: Annotated[str, Field(max_length=200)] = ""
    source: Annotated[str, Field(max_length=300)] = ""
    """Where the shape of the export is known from."""
    header: Annotated[list[Words], Field(max_length=20)] = []
    """Names that a header has all of, for each form of the export: then the profile comes before general ones."""
    has_header: bool = True
    """Otherwise `columns` has numbers, the first column being 1, and the profile is used only where it is named."""
    columns: dict[Role, Words]
    encoding: Words = ["utf-8"]
    delimiter: Literal[",", ";", "\t", "|"] | None = None
    decimal: Literal[".", ","] | None = None
    date_format: Literal["DMY", "MDY", "YMD"] | None = None
    sign: Literal["money-out-negative", "money-out-positive"] | None = None
    """Of one column of amounts; where it is not given, the file has to show it."""
    currency: Annotated[str, Field(pattern="^[A-Z]{3}$")] | None = None
    account: Annotated[str, Field(min_length=1, max_length=100)] | None = None
    trailer: Words = []
    debit_words: Words = []
    """What the column `direction` has for money out."""
    credit_words: Words = []
    """And for money in; where there are none, all other words are."""
    left_out: Words = []
    """What the column `status` has for rows that are not booked, beside the usual words."""
    kinds: dict[Kind, Words] = {}
    required: list[Role] = []
    category: Annotated[list[CategoryRule], Field(max_length=5_000)] = []

    @field_validator("columns")
    @classmethod
    def _enough(cls, given: dict[Role, list[str]]) -> dict[Role, list[str]]:
        trades = {"symbol", "quantity", "price"} <= given.keys()
        if "date" not in given or not ({"amount", "debit", "credit"} & given.keys() or trades):
            raise ValueError("needs date, and amount or debit and credit")
        return given

    @model_validator(mode="after")
    def _numbered(self) -> Profile:
        numbers = [name for names in self.columns.values() for name in names]
        if not self.has_header and not all(name.isdecimal() and 1 <= int(name) <= _MOST_COLUMNS for name in numbers):
            raise ValueError("without a header, columns are numbers such as 1")
        return self

    def has_trades(self) -> bool:
        """Whether its rows are trades of securities."""
        return "symbol" in self.columns and "quantity" in self.columns


def all_profiles(home: Path) -> tuple[dict[str, Profile], list[str]]:
    """The profiles by name, the user's own before shipped ones of the same name, and what is wrong with files."""
    found: dict[str, Profile] = {}
    problems: list[str] = []
    for entry in sorted(files("finclaw_ledger").joinpath("profiles").iterdir(), key=lambda item: item.name):
        if entry.name.endswith(".toml"):
            name = entry.name.removesuffix(".toml")
            found[name] = read_profile(name, entry.read_text(encoding="utf-8"))
    folder = home / FOLDER
    try:
        own = (
            sorted(path for path in folder.iterdir() if path.suffix == ".toml")[:_MAX_FILES] if folder.is_dir() else []
        )
    except OSError as error:
        return found, [f"cannot read {folder}: {error.strerror}"]
    for path in own:
        try:
            found[path.stem] = read_profile(path.stem, _text(path))
        except BadOption as error:
            problems.append(f"{FOLDER}/{bounded(shown_name(path.name), 80)}: {error}")
    return found, problems


def _text(path: Path) -> str:
    try:
        if not path.is_file() or path.stat().st_size > _MAX_BYTES:
            raise BadOption(f"profile {quoted(path.name)} is no file of at most {_MAX_BYTES:,} bytes")
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeError):
        raise BadOption(f"profile {quoted(path.name)} cannot be read as UTF-8 text") from None


def read_profile(name: str, text: str) -> Profile:
    """A profile from its TOML.

    Raises:
        BadOption: it is no TOML, or has an unknown key.
    """
    if not _NAME.fullmatch(name):
        raise BadOption(f"profile {quoted(name)}: a name has small letters, digits, - and _ only")
    try:
        given = tomllib.loads(text)
        return Profile.model_validate({**given, "name": name})
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise BadOption(f"profile {name!r} is no TOML: {bounded(str(error), 200)}") from None
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise BadOption(f"profile {name!r}: {where}: {first['msg'].removeprefix('Value error, ')}") from None


def find_profile(name: str, home: Path) -> Profile:
    """The profile of that name.

    Raises:
        BadOption: there is none, or its file is wrong.
    """
    found, problems = all_profiles(home)
    if name in found:
        return found[name]
    wrong = [problem for problem in problems if repr(name) in problem]
    raise BadOption(wrong[0] if wrong else f"no profile is called {quoted(name)}; there are: {', '.join(found)}")


def by_number(columns: Mapping[str, int]) -> Profile:
    """A profile for a file without a header.

    Raises:
        BadOption: the columns are too few.
    """
    given = {role: [str(number)] for role, number in columns.items()}
    words = {"debit_words": DEBIT_WORDS, "credit_words": CREDIT_WORDS}
    try:
        return Profile.model_validate(
            {"name": "columns", "columns": given, "has_header": False, "encoding": ["utf-8", "cp1252"], **words}
        )
    except ValidationError as error:
        raise BadOption(f"--columns {error.errors()[0]['msg'].removeprefix('Value error, ')}") from None
