"""A tool's input from the command line."""

from __future__ import annotations

from pathlib import Path

from finclaw_cli.app.prompt_text import read_bytes
from finclaw_cli.cli.run.prompt import read_stdin
from finclaw_cli.core.errors import UsageError
from finclaw_cli.core.json_text import ExactObject, ExactValue, InvalidJson, JsonObject, parse_object, well_formed

MOST_NAME_CHARS = 60


def input_of(arguments: list[str], schema: JsonObject) -> ExactObject:
    """Parse the input: `key=value` words, or all of it as JSON.

    Raises:
        UsageError: it cannot be read.
    """
    if len(arguments) == 1 and _is_json(arguments[0]):
        return from_json(arguments[0])
    return from_pairs(arguments, schema)


def check_names(tool: str, arguments: ExactObject, schema: JsonObject) -> None:
    """Check that the tool has all of the arguments.

    Raises:
        UsageError: one is unknown.
    """
    properties = schema.get("properties")
    if schema.get("additionalProperties") is not False or not isinstance(properties, dict):
        return
    for name in arguments:
        if name not in properties:
            from difflib import get_close_matches  # only where something is wrong

            near = get_close_matches(name, properties, n=1)
            raise UsageError(
                f"{tool}: unknown argument {name[:MOST_NAME_CHARS]!r}",
                hint=(f"Did you mean {near[0]!r}? " if near else "")
                + f"The arguments are: {', '.join(properties) or 'none'}. `finclaw tools show {tool}` describes them.",
            )


def _is_json(argument: str) -> bool:
    is_file = argument.endswith(".json") and "=" not in argument
    return argument == "-" or argument.lstrip().startswith("{") or is_file


def from_json(given: str) -> ExactObject:
    """Read the input from JSON text, a file, or stdin (`-`).

    Raises:
        UsageError: it cannot be read, or is not one JSON object.
    """
    try:
        if given.lstrip().startswith("{"):
            return parse_object(given)
        return parse_object((read_stdin() if given == "-" else read_bytes(Path(given))).decode("utf-8"))
    except (InvalidJson, UnicodeDecodeError) as error:
        raise UsageError(f"{'the input' if given.lstrip().startswith('{') else given}: {error}") from error


def from_pairs(arguments: list[str], schema: JsonObject) -> ExactObject:
    """Parse `key=value` words: as text where the schema has a string, else as JSON where it is valid.

    Raises:
        UsageError: a word is no such pair.
    """
    properties = schema.get("properties")
    known = properties if isinstance(properties, dict) else {}
    given: ExactObject = {}
    for argument in arguments:
        key, equals, text = argument.partition("=")
        if not equals or not key:
            raise UsageError(f"{argument!r} is not KEY=VALUE", hint=f"Known keys: {', '.join(known) or 'none'}.")
        given[key] = _value(well_formed(text), known.get(key))
    return given


def _value(text: str, schema: object) -> ExactValue:
    kinds = _kinds(schema)
    if "string" in kinds and not kinds & {"number", "integer"}:
        return text
    try:
        return parse_object(f'{{"v":{text}}}')["v"]
    except InvalidJson:
        return text


def _kinds(schema: object) -> set[str]:
    if not isinstance(schema, dict):
        return set()
    options = [schema, *schema.get("anyOf", ())]
    named = [option.get("type") for option in options if isinstance(option, dict)]
    kinds = [kind for kinds in named for kind in (kinds if isinstance(kinds, list) else [kinds])]
    return {kind for kind in kinds if isinstance(kind, str)} | ({"string"} if "enum" in schema else set())
