"""From the lines of a file to the items of a batch: what is wrong is named with its line, all of it at once."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from finclaw_cli.app.read_schema import checked_schema, read_schema
from finclaw_cli.batch.queue import NewItem
from finclaw_cli.core.errors import FinclawError, UsageError
from finclaw_cli.core.json_text import InvalidJson, JsonObject, canonical, dump_line, parse_value, plain, well_formed
from finclaw_cli.core.record import record
from finclaw_cli.settings.load import settings_of
from finclaw_cli.settings.paths import sessions_folder
from finclaw_cli.settings.run_settings import run_settings
from finclaw_cli.transcript.store import SessionStore

VERSION: Final = 1
"""Of what the ids of items are made from."""
MAX_LINE_BYTES: Final = 10 * 1024 * 1024
SHOWN: Final = 20
_TEXTS = ("id", "prompt", "session")
_ID_CHARS = 200

Line = str | bytes | Mapping[str, object]
"""A line of JSON as bytes, a prompt, or the object of a line."""


@record
class BadLine:
    """A line that is no item."""

    line: int
    """From 1."""
    reason: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.reason}"


class BadLines(UsageError):
    """Some lines are no items; nothing has run."""

    def __init__(self, bad: Iterable[BadLine]) -> None:
        self.bad = tuple(bad)
        count = len(self.bad)
        listed = "\n".join(f"  {each}" for each in self.bad)
        super().__init__(
            f"{count} bad line{'s' if count > 1 else ''}, so nothing was run:\n{listed}",
            hint="Correct them, or leave them out with --skip-bad-lines.",
            code="bad_lines",
        )


@dataclass(slots=True)
class ReadLines:
    """The items of a batch, and the lines that are none."""

    items: list[NewItem] = field(default_factory=list)
    bad: list[BadLine] = field(default_factory=list)
    options: list[JsonObject] = field(default_factory=list)
    """The different options that items have of their own."""

    @property
    def batch(self) -> str:
        """The id of the batch: the same for the same items in any order."""
        return _digest(sorted(item.id for item in self.items))[:12]


class _Wrong(ValueError):
    """What is wrong with a line."""


def read_lines(lines: Iterable[Line], settings: JsonObject) -> ReadLines:
    """Read all lines; blank ones are passed over.

    Args:
        lines: each as it is in the file, or as a program has it.
        settings: what all items have in common that changes the answers.
    """
    return _Reader(settings).read(lines)


class _Reader:
    def __init__(self, settings: JsonObject) -> None:
        self._settings = settings
        self._read = ReadLines()
        self._lines: dict[str, int] = {}
        self._names: dict[str, int] = {}
        self._checked: dict[str, str | None] = {}
        self._options: dict[str, JsonObject] = {}
        self._store = SessionStore(sessions_folder())

    def read(self, lines: Iterable[Line]) -> ReadLines:
        for number, line in enumerate(lines, 1):
            if isinstance(line, bytes) and not line.strip():
                continue
            try:
                self._read.items.append(self._item(number, _object(line)))
            except _Wrong as wrong:
                self._read.bad.append(BadLine(number, str(wrong)))
        self._read.options = list(self._options.values())
        return self._read

    def _item(self, number: int, given: Mapping[str, object]) -> NewItem:
        _check_keys(given)
        options = {key: plain(value) for key, value in given.items() if key not in _TEXTS}
        self._check_options(options)
        session = given.get("session")
        if isinstance(session, str):
            self._check_session(session)
        body: JsonObject = {"prompt": given["prompt"], "session": session, "options": options}  # type: ignore[dict-item]
        item = _digest([VERSION, given.get("id"), body, self._settings])[:20]
        name = given.get("id", item)
        self._check_new(number, item, str(name))
        self._options.setdefault(canonical(options), options)
        return NewItem(
            id=item,
            name=str(name),
            line=number,
            input=dump_line(body),
            session=session or None,  # type: ignore[arg-type]
        )

    def _check_options(self, options: JsonObject) -> None:
        key = canonical(options)
        if key not in self._checked:
            self._checked[key] = _problem(options)
        if (problem := self._checked[key]) is not None:
            raise _Wrong(problem)

    def _check_session(self, name: str) -> None:
        try:
            self._store.path(name)
        except UsageError as error:
            raise _Wrong(error.message) from None

    def _check_new(self, number: int, item: str, name: str) -> None:
        if (first := self._lines.setdefault(item, number)) != number:
            raise _Wrong(f'the same as line {first}; to run it twice, give each an "id"')
        if (first := self._names.setdefault(name, number)) != number:
            raise _Wrong(f'has the "id" of line {first}')


def _object(line: Line) -> Mapping[str, object]:
    if isinstance(line, str):
        return {"prompt": line}
    if not isinstance(line, bytes):
        return line
    if len(line) > MAX_LINE_BYTES:
        raise _Wrong(f"larger than {MAX_LINE_BYTES:,} bytes")
    try:
        parsed = parse_value(line.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise _Wrong("not UTF-8") from None
    except InvalidJson as error:
        raise _Wrong(f"not JSON: {error}") from None
    if not isinstance(parsed, dict):
        raise _Wrong('not a JSON object; write {"prompt": "…"}')
    return {str(key): value for key, value in parsed.items()}


def _check_keys(given: Mapping[str, object]) -> None:
    known = {*_TEXTS, "schema", *run_settings()}
    if unknown := sorted(str(key) for key in given if key not in known):
        raise _Wrong(f"unknown key {unknown[0]!r}; the keys are id, prompt, session, schema and the options of a run")
    for key in _TEXTS:
        if (value := given.get(key)) is not None and not isinstance(value, str):
            raise _Wrong(f"{key} has to be a text")
    prompt = given.get("prompt")
    if not isinstance(prompt, str) or not prompt.strip():
        raise _Wrong("there is no prompt")
    if well_formed(prompt) != prompt:
        raise _Wrong("prompt: a surrogate stands alone in it")
    name = given.get("id")
    if isinstance(name, str) and not (name.isprintable() and 0 < len(name) <= _ID_CHARS):
        raise _Wrong(f"id: has to be a printable text of 1 to {_ID_CHARS} characters")


def _problem(options: JsonObject) -> str | None:
    """What is wrong with the settings of a line; None where they can be used."""
    settings = {key: value for key, value in options.items() if key != "schema"}
    try:
        if (schema := options.get("schema")) is not None:
            _check_schema(schema)
        settings_of(settings, "this line")
    except FinclawError as error:
        return error.message
    return None


def _check_schema(schema: object) -> None:
    if isinstance(schema, str):
        read_schema(schema)
    elif isinstance(schema, dict):
        checked_schema(schema)
    else:
        raise UsageError("schema: has to be a JSON Schema or a text")


def _digest(value: object) -> str:
    return hashlib.sha256(canonical(value).encode("ascii")).hexdigest()
