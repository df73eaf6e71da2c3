"""From a command line with `--connect` to the end of the process."""

from __future__ import annotations

import signal
from dataclasses import replace
from typing import NoReturn

from finclaw_cli.app.plan import channel
from finclaw_cli.app.read_schema import read_schema
from finclaw_cli.cli.leave import leave
from finclaw_cli.cli.plugins.event_loop import plugin_runner
from finclaw_cli.cli.run.approve import approver_of
from finclaw_cli.cli.run.connect.address import ServerAddress, server_address
from finclaw_cli.cli.run.connect.client import ServerClient
from finclaw_cli.cli.run.connect.run import ConnectedRun
from finclaw_cli.cli.run.launch import CliArguments, RunPreparation, launch, outputs_of
from finclaw_cli.cli.run.run_control import RunControl
from finclaw_cli.cli.run.stdin_lines import StdinLines
from finclaw_cli.cli.terminal.cancel_key import let_a_key_cancel_calls
from finclaw_cli.cli.terminal.signals import SignalHandling, SignalReceived
from finclaw_cli.cli.typed import without_keys
from finclaw_cli.core.errors import FinclawError, UsageError
from finclaw_cli.core.json_text import JsonObject, jsonable
from finclaw_cli.engine.cancel import CancelScope, RunCancelled
from finclaw_cli.masking.stray_logs import mask_stray_logs
from finclaw_cli.output.stream import take_stdout
from finclaw_cli.settings.model import Settings, declarations


def launch_connected(given: CliArguments) -> NoReturn:
    """Let a server make the run, show it, and end the process; where there is no run, a result line has the reason."""
    mask_stray_logs()
    scope, lines = CancelScope(), StdinLines()
    signals = SignalHandling(scope)
    runner = plugin_runner()
    try:
        if (early := signals.early()) is not None:
            raise RunCancelled(early)
        settings, body, server = _prepared(given, scope, lines)
        signals.attach(runner.get_loop())
        client = runner.run(_opened(server))
        run_id = runner.run(scope.run(client.start(body)))
    except FinclawError as error:
        launch(replace(given, refused=without_keys(error)))
    except SignalReceived as received:
        launch(replace(given, refused=RunCancelled(received.cancellation)))
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)  # a closed pipe is handled as an error
    outputs = outputs_of(given, take_stdout())
    approver = approver_of(settings, channel(), lines)
    run = ConnectedRun(client, run_id, settings=settings, outputs=outputs, approver=approver, scope=scope)
    lines.obey = RunControl(run.cancel_call, scope).obey
    let_a_key_cancel_calls(runner.get_loop(), run.cancel_longest_call)
    leave(runner.run(_shown(run, lines if settings.approval == "stdio" else None)))


async def _shown(run: ConnectedRun, lines: StdinLines | None) -> int:
    """Show the run, and read the lines that control it, if there are any; return the exit code."""
    if lines is not None:
        lines.begin()
    return await run.show()


async def _opened(server: ServerAddress) -> ServerClient:
    return ServerClient(server)


def _prepared(given: CliArguments, scope: CancelScope, lines: StdinLines) -> tuple[Settings, JsonObject, ServerAddress]:
    """The settings of this side, what the server is asked for, and where it is.

    Raises:
        FinclawError: an option, a file or stdin is wrong.
    """
    if given.refused is not None:
        raise given.refused
    _check_options(given)
    server = server_address(given.connect or "", given.token_file)
    settings, prompt = RunPreparation(given, scope, lines).question()
    return settings, _body(given, prompt), server


def _check_options(given: CliArguments) -> None:
    """Refuse what a server has no counterpart of.

    Raises:
        UsageError: there is such an option.
    """
    if given.interactive or given.input_format != "text":
        raise UsageError("--connect asks one question: it goes with neither -i nor --input-format ndjson")
    if not given.use_plugins:
        raise UsageError("--no-plugins is for runs of this process: a server uses its own plugins")


def _body(given: CliArguments, prompt: str | None) -> JsonObject:
    """What the server is asked for: the options of this command line, without those of the terminal."""
    known = declarations()
    flags = {name: value for name, value in given.flags.items() if value is not None and not known[name].terminal}
    own = {
        "prompt": prompt,
        "session": given.session,
        "continue": given.go_on or None,
        "resume": given.resume or None,
        "schema": read_schema(given.schema) if given.schema is not None else None,
    }
    return {name: jsonable(value) for name, value in {**flags, **own}.items() if value is not None}
