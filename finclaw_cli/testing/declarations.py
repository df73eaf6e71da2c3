"""What tools declare, in the form in which a test writes it out: a change of it is then a change of the test."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from finclaw_cli.testing.tools import the_tool

FLAGS = ("requires_approval", "transactional", "sensitive", "external", "read_only", "idempotent", "serial")


def declared(tools: Iterable[object]) -> dict[str, tuple[str, float | None, str]]:
    """By name: the group, the time limit in seconds, and the flags that are set, separated by spaces.

    Args:
        tools: what a plugin's `finclaw_tools` returns.
    """
    return {
        tool.name: (tool.group, tool.timeout_s, " ".join(flag for flag in FLAGS if getattr(tool, flag)))
        for tool in map(the_tool, tools)
    }


def defaults(tools: Iterable[object]) -> dict[str, dict[str, object]]:
    """By name: the arguments that have a value where a call gives none, and these values."""
    found = {
        name: {argument: given for argument, schema in arguments if (given := schema.get("default")) is not None}
        for name, arguments in _arguments(tools)
    }
    return {name: values for name, values in found.items() if values}


def choices(tools: Iterable[object]) -> dict[str, dict[str, list[object]]]:
    """By name: the arguments that take one of a few values, and these values."""
    found = {
        name: {
            argument: form["enum"]
            for argument, schema in arguments
            for form in schema.get("anyOf", [schema])
            if "enum" in form
        }
        for name, arguments in _arguments(tools)
    }
    return {name: values for name, values in found.items() if values}


def _arguments(tools: Iterable[object]) -> Iterator[tuple[str, list[tuple[str, Any]]]]:
    for tool in map(the_tool, tools):
        properties: Any = tool.input_schema["properties"]
        yield tool.name, list(properties.items())
