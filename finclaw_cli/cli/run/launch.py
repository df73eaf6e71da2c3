"""From a command line to the end of the process: the plan and its prompts, the run, the exit code."""

from __future__ import annotations

import os
import signal
from collections.abc import AsyncIterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NoReturn, cast

from finclaw_cli.app.connect import Connector, begin_to_connect
from finclaw_cli.app.decode import checked_encoding
from finclaw_cli.app.front import Continuation, Prompt
from finclaw_cli.app.open_session import WantedSession
from finclaw_cli.app.plan import Plan, channel
from finclaw_cli.app.planner import Planner, PlanOptions
from finclaw_cli.app.read_schema import read_schema
from finclaw_cli.cli.leave import leave
from finclaw_cli.cli.plugins.event_loop import plugin_runner
from finclaw_cli.cli.run.beside_batches import BesideBatches
from finclaw_cli.cli.run.outputs import Outputs
from finclaw_cli.cli.run.prompt import PromptParts, read_prompt, require_input
from finclaw_cli.cli.run.prompts import one_prompt, prompts_from_stdin
from finclaw_cli.cli.run.stdin_lines import StdinLines
from finclaw_cli.cli.run.turn_scope import TurnScope
from finclaw_cli.cli.terminal.cancel_key import cancel_longest_of, let_a_key_cancel_calls
from finclaw_cli.cli.terminal.signals import PreparationDeadline, SignalHandling, SignalReceived, keep_handlers
from finclaw_cli.cli.typed import without_keys
from finclaw_cli.core.checked import checked
from finclaw_cli.core.errors import FinclawError, UsageError, unexpected
from finclaw_cli.core.interruption import traceback_text
from finclaw_cli.core.record import record
from finclaw_cli.engine.cancel import Cancellation, CancelScope, RunCancelled
from finclaw_cli.masking.stray_logs import mask_stray_logs
from finclaw_cli.output.descriptors import is_terminal
from finclaw_cli.output.foreign_output import clean_foreign_output
from finclaw_cli.output.notice import notice
from finclaw_cli.output.stream import take_stdout
from finclaw_cli.settings.load import SettingsWarning, load_settings
from finclaw_cli.settings.model import Settings, variable
from finclaw_cli.tools.blocked import watch_loop
from finclaw_cli.tools.processes.forks import keep_private

INPUT_FORMATS = ("text", "ndjson")
NO_TERMINAL = "--interactive needs a terminal for stdin and stdout"
WITHOUT = "A program asks question by question with --input-format ndjson, or with --session NAME."


@record(kw_only=True)
class CliArguments:
    """The command line's options that are no settings."""

    flags: Mapping[str, object]
    prompt: str | None = None
    files: tuple[Path, ...] = ()
    encoding: str | None = None
    """The encoding of stdin and the files; None for UTF-8 or a detected one."""
    input_format: str = "text"
    schema: str | None = None
    use_plugins: bool = True
    last_message: Path | None = None
    session: str | None = None
    go_on: bool = False
    """Whether to continue the most recent session."""
    resume: bool = False
    """Whether to resume its last question, instead of a new one."""
    interactive: bool = False
    """Whether the user asks one question after another."""
    quiet: bool = False
    verbose: bool = False
    debug: bool = False
    connect: str | None = None
    """The address of the server that makes the run; None: this process makes it."""
    token_file: Path | None = None
    refused: FinclawError | None = None
    """Why there can be no run: a mistyped option, or an early signal."""

    @property
    def has_prompt(self) -> bool:
        """Whether an option is about a prompt of the command line."""
        return self.prompt is not None or bool(self.files) or self.encoding is not None


def launch(given: CliArguments) -> NoReturn:
    """Run and end the process, always with the exit code of the result."""
    mask_stray_logs()
    scope = TurnScope() if given.interactive else CancelScope()
    signals = SignalHandling(scope)
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)  # a closed pipe is handled as an error
    fd = take_stdout()
    preparation = RunPreparation(_checked(given, fd, signals.early()), scope, StdinLines())
    plan = preparation.plan()
    keep_private(fd)
    clean_foreign_output(keep_private)
    runner = plugin_runner()
    signals.attach(runner.get_loop())
    connect = Connector(plan.settings, plan.installed.providers, pacing=BesideBatches(plan.settings))
    if plan.error is None:
        begin_to_connect(plan.settings, plan.installed.providers, connect, plan.models[0])
    from finclaw_cli.cli.run.conversation import Conversation  # while the connection is made

    outputs = outputs_of(given, fd)
    conversation = Conversation(plan, connect, outputs, scope, preparation.lines)
    watch_loop(runner.get_loop(), conversation.leave_stuck, keep_handlers)
    let_a_key_cancel_calls(runner.get_loop(), partial(cancel_longest_of, conversation.runner.calls))
    if isinstance(scope, TurnScope) and plan.error is None:
        from finclaw_cli.cli.run.interactive import converse

        code = runner.run(converse(conversation, scope, signals, preparation.first(), outputs))
    else:
        code = runner.run(conversation.answer_all(preparation.prompts()))
    if given.debug and conversation.runner.unexpected is not None:
        notice(traceback_text(conversation.runner.unexpected))
    leave(code)


def outputs_of(given: CliArguments, fd: int) -> Outputs:
    """The outputs that a command line wants; `fd` is the descriptor of stdout."""
    return Outputs(fd=fd, quiet=given.quiet, verbose=given.verbose, last_message=given.last_message)


def _checked(given: CliArguments, fd: int, early: Cancellation | None) -> CliArguments:
    if early is not None:
        return replace(given, refused=RunCancelled(early))
    if given.interactive and not (is_terminal(0) and is_terminal(fd)):
        return replace(given, refused=UsageError(NO_TERMINAL, hint=WITHOUT))
    return given


class RunPreparation:
    """Makes the plan and the prompts of a command line; after a failure the plan is partial."""

    def __init__(self, given: CliArguments, scope: CancelScope, lines: StdinLines) -> None:
        self._given = given
        self.scope = scope
        self.lines = lines
        options = PlanOptions(
            session=WantedSession(name=given.session, latest=given.go_on, resume=given.resume),
            channel=channel(),
            chosen=frozenset(name for name, value in given.flags.items() if value is not None),
            approved=cast("list[str]", given.flags.get("approve") or []),
            use_plugins=given.use_plugins,
        )
        self._planner = Planner(_settings_without_files(given.flags), options)
        self._prompt: str = ""
        self._deadline = PreparationDeadline()

    def plan(self) -> Plan:
        """Make the plan; a failure is its `error`."""
        error: FinclawError | None = None
        try:
            with self._deadline:
                self._prepare()
        except FinclawError as raised:
            error = without_keys(raised)
        except SignalReceived as received:
            error = RunCancelled(received.cancellation)
        except Exception as raised:  # noqa: BLE001 - a bug must not prevent the result line
            error = unexpected(raised)
        return self._planner.plan(error)

    def prompts(self) -> AsyncIterator[Prompt]:
        """The user's messages; available after `plan`."""
        if self._given.input_format == "ndjson" and not self._given.interactive:
            return prompts_from_stdin(self.lines, self.scope)
        return one_prompt(self._first())

    def first(self) -> Prompt | None:
        """The first prompt of a conversation, if the command line has one."""
        return self._first() or None

    def _first(self) -> str | Continuation:
        return Continuation() if self._given.resume else self._prompt

    def _check_interactive(self) -> None:
        if self._given.input_format != "text" or self._planner.settings.output != "text":
            raise UsageError("--interactive takes and shows text alone", hint="Give -o text, or no -i.")
        if self._given.prompt == "-":
            raise UsageError("with --interactive stdin is the conversation: no prompt can be read from it")
        if self._given.files and self._given.prompt is None:
            raise UsageError("with --interactive a file goes with the first question", hint="Give it: PROMPT.")

    def _check_input(self) -> None:
        """Check that there is a prompt, before anything else is checked."""
        if self._given.interactive:
            self._check_interactive()
        if self._given.resume:
            self._check_only_resumed()
        elif self._given.input_format == "text" and not self._given.interactive:
            require_input(self._given.prompt)

    def _check_only_resumed(self) -> None:
        if self._given.prompt is not None or self._given.files or self._given.input_format != "text":
            raise UsageError(
                "--resume continues the last question: it takes no new one",
                hint="Leave the new one out, or --resume: --session continues with a new question.",
            )

    def _check_approval(self) -> None:
        if self._planner.settings.approval == "stdio" and self._planner.settings.output != "ndjson":
            raise UsageError(
                "--approval stdio needs -o ndjson: requests go out as events",
                hint="Without it a terminal is asked, or name the tools in advance: --approve NAME.",
            )

    def _check_last_message(self) -> None:
        path = self._given.last_message
        if path is None or path.is_fifo():  # opening a pipe and closing it would end its reader
            return
        try:
            path.open("a").close()
        except OSError as error:
            message = f"--last-message {path}: cannot be written: {error.strerror}"
            raise UsageError(message, code="bad_file") from error

    def question(self) -> tuple[Settings, str | None]:
        """What the run of a server needs of this side: the settings, and the prompt; None resumes the last question.

        Raises:
            FinclawError: an option, a file or stdin is wrong.
            SignalReceived: a signal came.
        """
        with self._deadline:
            self._prepare_settings()
            self._check_last_message()
            self._check_approval()
            self._prepare_prompt()
        return self._planner.settings, None if self._given.resume else self._prompt

    def _prepare(self) -> None:
        planner = self._planner
        warnings = self._prepare_settings()
        planner.open_session()
        self._check_last_message()
        for ignored in warnings:
            planner.warn(ignored.code, ignored.message)
        self._check_approval()
        planner.prepare(read_schema(self._given.schema) if self._given.schema is not None else None)
        self._prepare_prompt()

    def _prepare_settings(self) -> tuple[SettingsWarning, ...]:
        if self._given.refused is not None:
            raise self._given.refused
        if self._given.input_format not in INPUT_FORMATS:
            raise UsageError(f"--input-format is text or ndjson, not {self._given.input_format!r}")
        loaded = load_settings(self._given.flags)
        self._planner.settings = loaded.settings
        self._deadline.begin(loaded.settings.timeout)
        self._check_input()
        return loaded.warnings

    def _prepare_prompt(self) -> None:
        given = self._given
        if given.resume or (given.interactive and not (given.prompt or "").strip()):
            return
        if given.input_format == "text":
            self._prompt = read_prompt(self._prompt_parts(), self._planner.warn)
        elif given.has_prompt:
            raise UsageError("with --input-format ndjson the messages come on stdin alone, in UTF-8")

    def _prompt_parts(self) -> PromptParts:
        return PromptParts(
            argument=self._given.prompt,
            files=self._given.files,
            stdin_timeout_s=self._planner.settings.stdin_timeout,
            stdin_is_ours=self._planner.settings.approval != "stdio",
            encoding=checked_encoding(self._given.encoding) if self._given.encoding is not None else None,
        )


def _settings_without_files(flags: Mapping[str, object]) -> Settings:
    """The settings of flags and environment where the files are broken, at least the form of the output."""
    output = flags.get("output") or os.environ.get(variable("output"))
    return checked(Settings, {"output": output} if output in {"ndjson", "json"} else {})
