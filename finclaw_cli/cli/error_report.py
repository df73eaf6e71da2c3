"""The report of an error that no command has handled: one message, and an exit code."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import NoReturn

from finclaw_cli.cli.surroundings import of_the_system
from finclaw_cli.core import exits


def report(error: Exception, arguments: list[str]) -> int:
    """Report an error in one line instead of a traceback; return the exit code."""
    from finclaw_cli.settings.secrets import know_secrets

    know_secrets(os.environ, {})  # a key that was typed in the wrong place is not repeated
    if callable(show := getattr(error, "show", None)):  # typer's own errors, whose class is private
        wanted = _machine_output(arguments)
        if wanted is not None:
            return _fail_as_a_run(error, wanted)
        _show(show, _dashes(error, arguments))
        return int(getattr(error, "exit_code", exits.USAGE))
    from finclaw_cli.cli.typed import without_keys
    from finclaw_cli.core.errors import FinclawError, unexpected
    from finclaw_cli.output.notice import error_text, notice

    if "--debug" in arguments:
        from finclaw_cli.core.interruption import traceback_text

        notice(traceback_text(error))
    known = error if isinstance(error, FinclawError) else of_the_system(error) or unexpected(error)
    notice(error_text(without_keys(known)))
    return known.exit_code


def _dashes(error: Exception, arguments: list[str]) -> str:
    """The hint for an argument of a tool that was written as an option."""
    option = getattr(error, "option_name", None)
    if arguments[:2] != ["tools", "call"] or not isinstance(option, str) or not option.startswith("--"):
        return ""
    given = next((at for at, each in enumerate(arguments) if each.partition("=")[0] == option), len(arguments))
    _, equals, value = "".join(arguments[given : given + 1]).partition("=")
    value = value if equals else "".join(arguments[given + 1 : given + 2])
    return f"\nThe arguments of a tool have no dashes: write {option[2:]}={value or 'VALUE'}"


def _show(show: Callable[..., None], hint: str) -> None:
    """Print an error of typer with a hint, without keys that were typed."""
    from io import StringIO

    from finclaw_cli.cli.typed import without_typed_keys
    from finclaw_cli.output.notice import notice

    text = StringIO()
    show(file=text)
    notice(without_typed_keys(text.getvalue().rstrip("\n") + hint))


def _machine_output(arguments: list[str]) -> str | None:
    """The machine-readable output form of a `run` with a mistyped option; None for text."""
    if arguments[:1] != ["run"]:
        return None
    asked = os.environ.get("FINCLAW_OUTPUT", "")
    for place, argument in enumerate(arguments):
        name, equals, value = argument.partition("=")
        if name in {"-o", "--output"}:
            asked = value if equals else "".join(arguments[place + 1 : place + 2])
    return asked if asked in {"ndjson", "json"} else None


def _fail_as_a_run(error: Exception, output: str) -> NoReturn:
    from finclaw_cli.cli.run.launch import CliArguments, launch
    from finclaw_cli.cli.typed import without_typed_keys
    from finclaw_cli.core.errors import UsageError

    format_message = getattr(error, "format_message", None)
    message = without_typed_keys(str(format_message() if callable(format_message) else error))
    refused = UsageError(message, hint="See finclaw run --help.")
    launch(CliArguments(flags={"output": output}, refused=refused))
