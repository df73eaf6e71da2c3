"""From a command line to a plan: settings, what is installed, models, tools, prompt, in this order."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import cast

from finclaw_cli.app.budget_store import require_prices
from finclaw_cli.app.connect import chosen_models, named_in_full, require_keys
from finclaw_cli.app.front import Continuation, Prompt
from finclaw_cli.app.inventory import find_skills
from finclaw_cli.app.offered_tools import offered_tools
from finclaw_cli.app.open_session import WantedSession, opened_session, with_recorded_models
from finclaw_cli.app.plan import Installed, Plan, channel, context_policy, find_installed, with_plugin_rules
from finclaw_cli.app.system_prompt import PromptBasis, PromptMaterial, present_basis, system_prompt
from finclaw_cli.cli.approve import without_effect
from finclaw_cli.cli.decode import checked_encoding
from finclaw_cli.cli.prompt import PromptParts, read_prompt, require_input
from finclaw_cli.cli.prompts import one_prompt, prompts_from_stdin
from finclaw_cli.cli.schema_option import read_schema
from finclaw_cli.cli.signals import PreparationDeadline, SignalReceived
from finclaw_cli.cli.stdin_lines import StdinLines
from finclaw_cli.cli.typed import without_keys
from finclaw_cli.core.checked import checked
from finclaw_cli.core.errors import FinclawError, UsageError, unexpected
from finclaw_cli.core.events.agent import AgentWarning
from finclaw_cli.core.json_text import JsonObject
from finclaw_cli.core.record import record
from finclaw_cli.core.tool import ToolSpec
from finclaw_cli.engine.cancel import CancelScope, RunCancelled
from finclaw_cli.engine.request import ModelRef
from finclaw_cli.plugin_host.plugin_rules import ignored_rules, rules_ignored
from finclaw_cli.plugin_host.skills import Skills
from finclaw_cli.prompt.section import SystemPrompt
from finclaw_cli.providers.registry import ProviderRegistry
from finclaw_cli.settings.load import load_settings
from finclaw_cli.settings.model import Settings, variable
from finclaw_cli.settings.policy_files import LoadedPolicy, load_policy
from finclaw_cli.transcript.session import Session

INPUT_FORMATS = ("text", "ndjson")


@record(kw_only=True)
class CliArguments:
    """What the command line said, beside the settings."""

    flags: Mapping[str, object]
    prompt: str | None = None
    files: tuple[Path, ...] = ()
    encoding: str | None = None
    """The encoding of stdin and the files, where the command line names one."""
    input_format: str = "text"
    schema: str | None = None
    use_plugins: bool = True
    last_message: Path | None = None
    session: str | None = None
    go_on: bool = False
    """Whether the session that was written last goes on."""
    resume: bool = False
    """Whether its last question is taken up, instead of a new one."""
    interactive: bool = False
    """Whether a person asks one question after another."""
    refused: FinclawError | None = None
    """Why there can be no run: a mistyped option, or a signal that came before anything was looked at."""


class RunPreparation:
    """Gathers what a run needs; what is known when something fails is still told."""

    def __init__(self, given: CliArguments, scope: CancelScope, lines: StdinLines) -> None:
        self._given = given
        self.scope = scope
        self.lines = lines
        self._settings = _settings_without_files(given.flags)
        self._installed: Installed | None = None
        self._models: tuple[ModelRef, ...] = ()
        self._tools: tuple[ToolSpec, ...] = ()
        self._skills = Skills(usable={})
        self._schema: JsonObject | None = None
        self._policy = LoadedPolicy(rules=(), files=(), warnings=())
        self._warnings: list[AgentWarning] = []
        self._session: Session | None = None
        self._basis: PromptBasis | None = None
        self._system_prompt = SystemPrompt()
        self._prompt: str = ""
        self._deadline = PreparationDeadline()

    def plan(self) -> Plan:
        """The plan; with `error` where something is wrong."""
        error: FinclawError | None = None
        try:
            with self._deadline:
                self._prepare()
        except FinclawError as raised:
            error = without_keys(raised)
        except SignalReceived as received:
            error = RunCancelled(received.cancellation)
        except Exception as raised:  # noqa: BLE001 - a bug of ours must not cost the result line
            error = unexpected(raised)
        return Plan(
            settings=self._settings,
            installed=self._installed or find_installed(replace(self._settings, providers={}), use_plugins=False),
            models=self._models,
            tools=self._tools,
            schema=self._schema,
            policy=self._policy,
            warnings=tuple(self._warnings),
            error=error,
            channel=channel(),
            session=self._session,
            basis=self._basis,
            skills=self._skills,
            prompt=self._system_prompt,
        )

    def prompts(self) -> AsyncIterator[Prompt]:
        """The user's messages, to be taken after `plan`."""
        if self._given.input_format == "ndjson" and not self._given.interactive:
            return prompts_from_stdin(self.lines, self.scope)
        return one_prompt(self._first())

    def first(self) -> Prompt | None:
        """What a conversation begins with, if not with a question that is still to be typed."""
        return self._first() or None

    def _first(self) -> str | Continuation:
        return Continuation() if self._given.resume else self._prompt

    def _check_interactive(self) -> None:
        if self._given.input_format != "text" or self._settings.output != "text":
            raise UsageError("--interactive is for people: it takes and shows text", hint="Give -o text, or no -i.")
        if self._given.prompt == "-":
            raise UsageError("with --interactive stdin is the conversation: no prompt can be read from it")
        if self._given.files and self._given.prompt is None:
            raise UsageError("with --interactive a file goes with the first question", hint="Give it: PROMPT.")

    def _check_patterns(self) -> None:
        if self._settings.mask:
            from finclaw_cli.masking.patterns import compile_pattern

            for kind, pattern in self._settings.mask.items():
                compile_pattern(kind, pattern)

    def _tell_untrusted(self, installed: Installed) -> None:
        """Whoever installed a plugin wonders why its tools are not used."""
        left_out = {entry.origin for entry in installed.tools.entries if not entry.spec.is_trusted}
        for dist in sorted(left_out - {tool.source.removeprefix("plugin:") for tool in self._tools}):
            message = f"the tools of {dist} are not offered: it is not trusted (finclaw plugins trust {dist})"
            self._warn("untrusted_plugin", message)
        for dist in ignored_rules(installed.plugins):
            self._warn("untrusted_plugin", rules_ignored(dist))

    def _tell_unused_approvals(self, installed: Installed) -> None:
        """Of what was approved for this run; what the settings approve is for other runs, too."""
        entries = {tool.name: installed.tools.find(tool.name) for tool in self._tools}
        specs = {name: entry.spec for name, entry in entries.items() if entry is not None}
        if unused := without_effect(cast("list[str]", self._given.flags.get("approve") or []), specs):
            self._warn("unused_approval", unused)

    def _open_session(self) -> Session | None:
        session = opened_session(self._wanted_session(), save=self._settings.save)
        if session is not None:
            for code, message in session.told(resumed=self._given.resume):
                self._warn(code, message)
            if self._given.resume:
                self._settings = with_recorded_models(self._settings, self._given.flags, session.history)
        return session

    def _wanted_session(self) -> WantedSession:
        return WantedSession(name=self._given.session, latest=self._given.go_on, resume=self._given.resume)

    def _check_input(self) -> None:
        """See that there is something to answer, before anything else is looked at."""
        if self._given.interactive:
            self._check_interactive()
        if self._given.resume:
            self._check_only_resumed()
        elif self._given.input_format == "text" and not self._given.interactive:
            require_input(self._given.prompt)

    def _check_only_resumed(self) -> None:
        if self._given.prompt is not None or self._given.files or self._given.input_format != "text":
            raise UsageError(
                "--resume takes up the last question: there is no other beside it",
                hint="Leave the new one out, or --resume: --session goes on with a new question.",
            )

    def _check_approval(self) -> None:
        if self._settings.approval == "stdio" and self._settings.output != "ndjson":
            raise UsageError(
                "--approval stdio needs -o ndjson: requests go out as events",
                hint="Without it a terminal is asked, or name the tools in advance: --approve NAME.",
            )

    def _check_last_message(self) -> None:
        path = self._given.last_message
        if path is None:
            return
        try:
            path.open("a").close()
        except OSError as error:
            message = f"--last-message {path}: cannot be written: {error.strerror}"
            raise UsageError(message, code="bad_file") from error

    def _prepare(self) -> None:
        if self._given.refused is not None:
            raise self._given.refused
        if self._given.input_format not in INPUT_FORMATS:
            raise UsageError(f"--input-format is text or ndjson, not {self._given.input_format!r}")
        loaded = load_settings(self._given.flags)
        self._settings = loaded.settings
        self._deadline.begin(self._settings.timeout)
        self._check_input()
        self._session = self._open_session()
        self._check_last_message()
        for ignored in loaded.warnings:
            self._warn(ignored.code, ignored.message)
        self._policy = load_policy(self._settings.policy)
        for warning in self._policy.warnings:
            self._warn("project_policy", warning)
        self._check_approval()
        self._check_patterns()
        self._installed = find_installed(self._settings, use_plugins=self._given.use_plugins)
        self._policy = with_plugin_rules(self._policy, self._installed.plugins)
        self._choose_models(self._installed.providers)
        self._skills = find_skills(self._installed.plugins)
        for problem in self._skills.problems:
            self._warn("skill", problem)
        self._tools = offered_tools(self._installed.tools, self._settings, self._skills)
        self._tell_untrusted(self._installed)
        self._tell_unused_approvals(self._installed)
        self._schema = read_schema(self._given.schema) if self._given.schema is not None else None
        self._make_system_prompt(self._settings, self._installed)
        self._prepare_prompt()

    def _choose_models(self, providers: ProviderRegistry) -> None:
        self._models = chosen_models(self._settings, providers)
        require_keys(self._settings, providers, self._models)
        self._settings = named_in_full(self._settings, providers)
        summary_model = context_policy(self._settings).summary_model
        require_prices(self._settings, providers, (*self._models, *((summary_model,) if summary_model else ())))

    def _prepare_prompt(self) -> None:
        if self._given.resume or (self._given.interactive and not (self._given.prompt or "").strip()):
            return
        if self._given.input_format == "text":
            self._prompt = read_prompt(self._prompt_parts(), self._warn)
        elif self._given.prompt is not None or self._given.files or self._given.encoding is not None:
            raise UsageError("with --input-format ndjson the messages come on stdin alone, in UTF-8")

    def _make_system_prompt(self, settings: Settings, installed: Installed) -> None:
        history = self._session.history.messages if self._session and self._session.history else ()
        for_this_run = self._given.flags.get("system") is not None
        self._basis = present_basis(settings, history, for_this_run=for_this_run)
        material = PromptMaterial(
            settings=settings,
            plugins=installed.plugins,
            skills=self._skills,
            tools=self._tools,
            schema=self._schema,
            channel=channel(),
        )
        self._system_prompt, problems = system_prompt(self._basis, material)
        for problem in problems:
            self._warn("prompt", problem)

    def _prompt_parts(self) -> PromptParts:
        return PromptParts(
            argument=self._given.prompt,
            files=self._given.files,
            stdin_timeout_s=self._settings.stdin_timeout,
            stdin_is_ours=self._settings.approval != "stdio",
            encoding=checked_encoding(self._given.encoding) if self._given.encoding is not None else None,
        )

    def _warn(self, code: str, message: str) -> None:
        self._warnings.append(AgentWarning(code=code, message=message))


def _settings_without_files(flags: Mapping[str, object]) -> Settings:
    """What can be said of the settings when their files are broken: at least the form of the output."""
    output = flags.get("output") or os.environ.get(variable("output"))
    return checked(Settings, {"output": output} if output in {"ndjson", "json"} else {})
