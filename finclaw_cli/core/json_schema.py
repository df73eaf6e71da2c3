"""JSON Schemas that come from outside, compiled without ever following a reference into the network.

Validation is done by a library that nothing can interrupt, and a schema of a thousand characters can keep it busy for
hours: alternatives that refer to alternatives. So only what takes few steps is done in this process; all else is done
in a process of its own, which has little time and memory.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Protocol, cast

from finclaw_cli.core.json_text import JsonObject, JsonValue

MAX_SCHEMA_CHARS = 1_000_000
MAX_EXPANDED = 60_000
"""How many values a schema may have, its references followed, to be compiled in this process."""
MAX_STEPS = 500_000
"""How many steps a check may take in this process: each value of the schema for each part of the value, at 1 µs."""
_SLOW = {"pattern": 10_000, "patternProperties": 10_000, "uniqueItems": 1_000, "contains": 1_000}
"""How many more values a keyword counts as: patterns go back and forth, items are compared with one another."""
_CHARS_A_STEP = 100
NO_WEIGHTS: Mapping[str, int] = {}
WORKER_S = 5.0
REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")
Problem = tuple[list[str | int], str]
"""Where a value breaks a schema, as a path of keys and places; and how."""


class BadSchema(ValueError):
    """Not a JSON Schema that can be used; the message is one line."""


class TooManySteps(BadSchema):
    """A schema that takes too long to be used."""


class _Violation(Protocol):
    message: str
    instance_path: list[str | int]


class _Validator(Protocol):
    def iter_errors(self, instance: JsonValue) -> Iterable[_Violation]: ...


class CompiledSchema:
    """A schema, ready to be held against values.

    Raises:
        BadSchema: it is no JSON Schema, it refers to something that is not in it, or it takes too long to compile.
    """

    def __init__(self, schema: JsonObject) -> None:
        self._text = _dumped(schema)
        self._weight = expanded_size(schema, _SLOW)
        self._validator = compiled(schema) if expanded_size(schema) <= MAX_EXPANDED else None
        if self._validator is None:
            _require_compiles(self._text)

    def is_heavy(self, value: JsonValue) -> bool:
        """As `is_heavy` of the module."""
        return self._validator is None or self._weight * value_size(value) > MAX_STEPS

    def problems(self, value: JsonValue, *, at_most: int = 5) -> list[Problem]:
        """What is wrong with a value: where, and what; empty when nothing is.

        Raises:
            TooManySteps: that takes too long to find out.
        """
        if self._validator is None or self.is_heavy(value):
            return _in_worker(self._text, json.dumps(value), at_most)
        return found_problems(self._validator, value, at_most)


def compiled(schema: JsonObject) -> _Validator:
    """A validator for the schema.

    Raises:
        BadSchema: it is no JSON Schema, or refers to something that is not in it.
    """
    import jsonschema_rs

    try:
        return cast("_Validator", jsonschema_rs.validator_for(schema, offline=True))
    except (ValueError, jsonschema_rs.ReferencingError) as error:
        raise BadSchema(str(error).strip().partition("\n")[0]) from error


def found_problems(validator: _Validator, value: JsonValue, at_most: int) -> list[Problem]:
    """The first problems of a value; none are looked for where none are wanted."""
    if at_most == 0:
        return []
    found: list[Problem] = []
    for violation in validator.iter_errors(value):
        found.append((list(violation.instance_path), violation.message.partition("\n")[0]))
        if len(found) == at_most:
            break
    return found


def is_heavy(schema: JsonObject, value: JsonValue) -> bool:
    """Whether a value is checked in a process of its own, which takes time: not for an event loop to wait for."""
    return expanded_size(schema) > MAX_EXPANDED or expanded_size(schema, _SLOW) * value_size(value) > MAX_STEPS


def value_size(value: JsonValue) -> float:
    """How many parts a value has to be looked at: each of its values, and each piece of a long text."""
    size, waiting = 0, [value]
    while waiting:
        part = waiting.pop()
        size += 1
        if isinstance(part, str):
            size += len(part) // _CHARS_A_STEP
        elif isinstance(part, list):
            waiting.extend(part)
        elif isinstance(part, dict):
            waiting.extend(part.values())
    return size


def expanded_size(schema: JsonValue, weights: Mapping[str, int] = NO_WEIGHTS) -> float:
    """How many values a schema has once each of its references is replaced by what it refers to; infinite for cycles.

    A reference that is no plain path within the schema counts as one to the whole. A keyword of `weights` counts as so
    many more.
    """
    sizes: dict[int, float] = {}

    def size(node: JsonValue) -> float:
        if not isinstance(node, dict | list):
            return 1
        if id(node) not in sizes:
            sizes[id(node)] = float("inf")  # what is met again before it is known contains itself
            own = sum(weight for keyword, weight in weights.items() if keyword in node)
            sizes[id(node)] = 1 + own + sum(size(child) for child in _children(node, schema))
        return sizes[id(node)]

    try:
        return size(schema)
    except RecursionError:
        return float("inf")


def _children(node: JsonObject | list[JsonValue], root: JsonValue) -> Iterable[JsonValue]:
    if isinstance(node, list):
        yield from node
        return
    for key, child in node.items():
        if key in {"$defs", "definitions"}:
            continue  # counted where they are referred to
        yield _target(child, root) if key in REFERENCES and isinstance(child, str) else child


def _target(reference: str, root: JsonValue) -> JsonValue:
    node = root
    if not reference.startswith("#/"):
        return root
    for part in reference[2:].split("/"):
        name = part.replace("~1", "/").replace("~0", "~")
        if not isinstance(node, dict) or name not in node:
            return root
        node = node[name]
    return node


def _dumped(schema: JsonObject) -> str:
    try:
        text = json.dumps(schema)
    except (TypeError, ValueError, RecursionError) as error:
        raise BadSchema(f"not JSON: {error}") from error
    if len(text) > MAX_SCHEMA_CHARS:
        raise BadSchema(f"it has {len(text):,} characters; at most {MAX_SCHEMA_CHARS:,}")
    return text


@lru_cache(maxsize=16)
def _require_compiles(schema: str) -> None:
    _in_worker(schema, "null", 0)


def _in_worker(schema: str, value: str, at_most: int) -> list[Problem]:
    """Use the schema in a process of its own.

    Raises:
        BadSchema: as `compiled`.
        TooManySteps: it took too long, or too much memory.
    """
    command = [sys.executable, "-P", "-m", "finclaw_cli.core.schema_worker", str(at_most)]
    try:
        done = subprocess.run(  # noqa: S603 - our own interpreter, our own module
            command, input=f"{schema}\n{value}", capture_output=True, text=True, timeout=WORKER_S, check=False
        )
        answer = json.loads(done.stdout)
    except (subprocess.TimeoutExpired, ValueError) as error:
        raise TooManySteps(f"it cannot be checked within {WORKER_S:g} s") from error
    if isinstance(answer, str):
        raise BadSchema(answer)
    return [(list(path), str(message)) for path, message in answer]
