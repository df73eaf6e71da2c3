"""From settings to a plan: session, policy, what is installed, models, tools, system prompt, in this order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Protocol

from finclaw_cli.app.approvals import without_effect
from finclaw_cli.app.budget_store import require_prices
from finclaw_cli.app.connect import chosen_models, named_in_full, require_keys
from finclaw_cli.app.inventory import find_skills
from finclaw_cli.app.offered_tools import offered_tools
from finclaw_cli.app.open_session import WantedSession, opened_session, with_recorded_models
from finclaw_cli.app.plan import Installed, Plan, context_policy, find_installed, with_plugin_rules
from finclaw_cli.app.system_prompt import PromptBasis, PromptMaterial, present_basis, system_prompt
from finclaw_cli.core.errors import FinclawError
from finclaw_cli.core.events.agent import AgentWarning
from finclaw_cli.core.json_text import JsonObject
from finclaw_cli.core.record import record
from finclaw_cli.core.tool import ToolDefinition, ToolSpec
from finclaw_cli.engine.request import ModelRef
from finclaw_cli.output.notice import notice
from finclaw_cli.plugin_host.plugin_rules import ignored_rules, rules_ignored
from finclaw_cli.plugin_host.restrictions import uninstalled_restrictions
from finclaw_cli.plugin_host.skills import Skills
from finclaw_cli.prompt.section import SystemPrompt
from finclaw_cli.providers.registry import ProviderRegistry
from finclaw_cli.settings.model import Settings
from finclaw_cli.settings.policy_files import LoadedPolicy, load_policy
from finclaw_cli.transcript.session import Session


class FindInstalled(Protocol):
    """Finds what is installed under some settings; as `find_installed`."""

    def __call__(self, settings: Settings, *, use_plugins: bool, report: Callable[[str], None]) -> Installed: ...


@record(kw_only=True)
class PlanOptions:
    """What a front asks for beside the settings."""

    session: WantedSession
    channel: str
    """Where the run comes from: `ci`, `tty` or `pipe`."""
    chosen: frozenset[str] = frozenset()
    """Names of the settings that were chosen for this run alone."""
    approved: Sequence[str] = ()
    """Patterns of tools that were approved for this run alone."""
    use_plugins: bool = True
    functions: tuple[ToolDefinition, ...] = ()
    """Tools of the caller's own."""
    report: Callable[[str], None] = notice
    """Shows a line that belongs to no run."""
    find: FindInstalled = find_installed
    """Finds what is installed."""


class Planner:
    """Makes a plan step by step; after an error the plan has what was known by then."""

    def __init__(self, settings: Settings, options: PlanOptions) -> None:
        self.settings = settings
        self.schema: JsonObject | None = None
        self._options = options
        self._installed: Installed | None = None
        self._models: tuple[ModelRef, ...] = ()
        self._tools: tuple[ToolSpec, ...] = ()
        self._skills = Skills(usable={})
        self._policy = LoadedPolicy(rules=(), files=(), warnings=())
        self._warnings: list[AgentWarning] = []
        self._session: Session | None = None
        self._basis: PromptBasis | None = None
        self._prompt = SystemPrompt()

    def plan(self, error: FinclawError | None = None) -> Plan:
        """The plan; with `error` where there can be no run."""
        return Plan(
            settings=self.settings,
            installed=self._installed or find_installed(replace(self.settings, providers={}), use_plugins=False),
            models=self._models,
            tools=self._tools,
            schema=self.schema,
            policy=self._policy,
            warnings=tuple(self._warnings),
            error=error,
            channel=self._options.channel,
            session=self._session,
            basis=self._basis,
            skills=self._skills,
            prompt=self._prompt,
        )

    def prepare(self, schema: JsonObject | None) -> None:
        """Take every step after the session: policy, what is installed, models, tools, system prompt.

        Raises:
            FinclawError: something of it is missing or wrong.
        """
        self.load_policy()
        self.schema = schema
        self.choose()
        self.make_system_prompt()

    def open_session(self) -> None:
        """Open the session, and take the models of its last run where that is taken up.

        Raises:
            UsageError: the options contradict each other, or there is no such session.
            SessionBusy: another process writes it.
            OutputFailed: it cannot be read, repaired or locked.
        """
        wanted = self._options.session
        self._session = opened_session(wanted, save=self.settings.save)
        if self._session is None:
            return
        for code, message in self._session.warnings(resumed=wanted.resume):
            self.warn(code, message)
        if wanted.resume:
            self.settings = with_recorded_models(self.settings, self._options.chosen, self._session.history)

    def load_policy(self) -> None:
        """Read the policy files.

        Raises:
            UsageError: one cannot be read.
        """
        self._policy = load_policy(self.settings.policy)
        for warning in self._policy.warnings:
            self.warn("project_policy", warning)

    def choose(self) -> None:
        """Find what is installed, and choose models, skills and tools.

        Raises:
            FinclawError: a model, a tool, a key or a price is missing, or a setting is wrong.
        """
        self._check_patterns()
        options = self._options
        found = options.find(self.settings, use_plugins=options.use_plugins, report=options.report)
        self._installed = replace(found, tools=found.tools.with_functions(options.functions))
        self._policy = with_plugin_rules(self._policy, self._installed.plugins)
        self._choose_models(self._installed.providers)
        self._skills = find_skills(self._installed.plugins)
        for problem in self._skills.problems:
            self.warn("skill", problem)
        self._tools = offered_tools(self._installed.tools, self.settings, self._skills)
        self._warn_of_untrusted(self._installed)
        self._warn_of_unused_approvals(self._installed)

    def make_system_prompt(self) -> None:
        """Make the system prompt, once models, tools and the schema are known."""
        if self._installed is None:
            return
        history = self._session.history.messages if self._session and self._session.history else ()
        self._basis = present_basis(self.settings, history, for_this_run="system" in self._options.chosen)
        material = PromptMaterial(
            settings=self.settings,
            plugins=self._installed.plugins,
            skills=self._skills,
            tools=self._tools,
            schema=self.schema,
            channel=self._options.channel,
        )
        self._prompt, problems = system_prompt(self._basis, material)
        for problem in problems:
            self.warn("prompt", problem)

    def warn(self, code: str, message: str) -> None:
        """Add a warning that the run begins with."""
        self._warnings.append(AgentWarning(code=code, message=message))

    def _check_patterns(self) -> None:
        if self.settings.mask:
            from finclaw_cli.masking.patterns import compile_pattern

            for kind, pattern in self.settings.mask.items():
                compile_pattern(kind, pattern)

    def _choose_models(self, providers: ProviderRegistry) -> None:
        self._models = chosen_models(self.settings, providers)
        require_keys(self.settings, providers, self._models)
        self.settings = named_in_full(self.settings, providers)
        summary_model = context_policy(self.settings).summary_model
        require_prices(self.settings, providers, (*self._models, *((summary_model,) if summary_model else ())))

    def _warn_of_untrusted(self, installed: Installed) -> None:
        """Name the plugins whose tools are not offered because they are not trusted."""
        left_out = {entry.origin for entry in installed.tools.entries if not entry.spec.is_trusted}
        for dist in sorted(left_out - {tool.source.removeprefix("plugin:") for tool in self._tools}):
            message = f"the tools of {dist} are not offered: it is not trusted (finclaw plugins trust {dist})"
            self.warn("untrusted_plugin", message)
        for dist in ignored_rules(installed.plugins):
            self.warn("untrusted_plugin", rules_ignored(dist))
        for message in uninstalled_restrictions(installed.plugins):
            self.warn("uninstalled_plugin", message)

    def _warn_of_unused_approvals(self, installed: Installed) -> None:
        """Name approvals of this run without effect; those of the settings are for other runs, too."""
        entries = {tool.name: installed.tools.find(tool.name) for tool in self._tools}
        specs = {name: entry.spec for name, entry in entries.items() if entry is not None}
        if unused := without_effect(self._options.approved, specs):
            self.warn("unused_approval", unused)
