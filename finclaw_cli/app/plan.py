"""What a command line comes to: everything a run needs, or the reason why there can be none."""

from __future__ import annotations

import os
import pwd
import sys
from collections.abc import Callable, Mapping
from dataclasses import field, replace
from functools import partial

from finclaw_cli import __version__
from finclaw_cli.app.inventory import Inventory, take_inventory
from finclaw_cli.app.offered_tools import brought_by_skills
from finclaw_cli.app.system_prompt import PromptBasis
from finclaw_cli.core.environment import environment
from finclaw_cli.core.errors import FinclawError
from finclaw_cli.core.events.agent import AgentStart, AgentWarning
from finclaw_cli.core.events.parts import FailedPlugin, Limits, OfferedTool
from finclaw_cli.core.ids import idempotency_key
from finclaw_cli.core.json_text import JsonObject
from finclaw_cli.core.messages import Message, ToolCall
from finclaw_cli.core.record import record
from finclaw_cli.core.tool import ToolContext, ToolSpec
from finclaw_cli.engine.lanes import Lanes, RunLanes
from finclaw_cli.engine.request import ContextPolicy, ModelRef, RunLimits, RunRequest
from finclaw_cli.engine.retry import RetryPolicy
from finclaw_cli.output.notice import notice
from finclaw_cli.plugin_host.manager import PluginManager
from finclaw_cli.plugin_host.needs import missing_configuration
from finclaw_cli.plugin_host.plugin_rules import plugin_rules
from finclaw_cli.plugin_host.skills import Skills
from finclaw_cli.prompt.section import SystemPrompt
from finclaw_cli.providers.registry import BUILTIN, ProviderEntry, ProviderRegistry
from finclaw_cli.settings.model import UNNAMED_AGENT, Settings, settings_of_plugins
from finclaw_cli.settings.paths import home, lanes_folder
from finclaw_cli.settings.policy_files import LoadedPolicy
from finclaw_cli.settings.secrets import find_key, key_of
from finclaw_cli.tools.circuit_breaker import CircuitSettings
from finclaw_cli.tools.executor import ExecutorSettings
from finclaw_cli.tools.guard import GuardSettings, ToolGuard
from finclaw_cli.transcript.session import Session


@record(kw_only=True)
class Installed(Inventory):
    """Everything that is installed, known without importing it."""

    providers: ProviderRegistry


def find_installed(
    settings: Settings, *, use_plugins: bool = True, report: Callable[[str], None] = notice
) -> Installed:
    """The inventory, and the providers of models; `report` as in `take_inventory`."""
    found = take_inventory(settings, use_plugins=use_plugins, report=report)
    plugins = found.plugins
    entries = [
        ProviderEntry(
            facts=facts,
            origin=manifest.dist,
            load=partial(plugins.provider, manifest, facts.name),
            is_trusted=plugins.trusts(manifest),
        )
        for manifest in plugins.manifests
        for facts in manifest.providers
    ]
    if settings.providers:
        entries = [*_servers(settings, entries, is_complete=use_plugins and not plugins.failed), *entries]
    return Installed(plugins=plugins, tools=found.tools, providers=ProviderRegistry(entries, settings.aliases))


def _servers(settings: Settings, plugins: list[ProviderEntry], *, is_complete: bool) -> list[ProviderEntry]:
    """The servers that the settings name; a table about nothing is an error where all plugins were looked at."""
    from finclaw_cli.app.named_servers import check_tables, named_servers  # most settings have none

    known = {entry.facts.name for entry in plugins}
    if is_complete and settings.plugins.only is None and not settings.plugins.deny:
        check_tables(settings.providers, {*known, *(spec.name for spec in BUILTIN)})
    return named_servers(settings.providers, {entry.facts.name for entry in plugins if entry.is_trusted})


def with_plugin_rules(policy: LoadedPolicy, plugins: PluginManager) -> LoadedPolicy:
    """The policy of the files, made stricter by what plugins bring.

    Raises:
        UsageError: a trusted plugin that has rules cannot give them, or one that was trusted has changed.
    """
    return replace(policy, rules=(*policy.rules, *plugin_rules(plugins)))


@record(kw_only=True)
class Plan:
    """A run, ready to be made as often as there are prompts; with `error` it fails as soon as it has begun."""

    settings: Settings
    installed: Installed
    models: tuple[ModelRef, ...]
    tools: tuple[ToolSpec, ...]
    schema: JsonObject | None
    policy: LoadedPolicy
    warnings: tuple[AgentWarning, ...] = ()
    error: FinclawError | None = None
    channel: str = "pipe"
    session: Session | None = None
    """Where the runs are kept; None where they are not."""
    basis: PromptBasis | None = None
    """What the system prompt was made from; None where nothing came of it."""
    skills: Skills = field(default_factory=lambda: Skills(usable={}))
    prompt: SystemPrompt = field(default_factory=SystemPrompt)

    def start(self, session_id: str) -> AgentStart:
        """The first event of a run."""
        brought = brought_by_skills(self.tools, self.settings, self.skills)
        scripted = bool(self.models) and self.installed.providers.entry(self.models[0].provider).facts.scripted
        return AgentStart(
            finclaw_version=__version__,
            session_id=session_id,
            agent_id=self.settings.agent,
            models=tuple(str(ref) for ref in self.models) or _requested_models(self.settings),
            scripted=scripted,
            channel=self.channel,
            tools=tuple(OfferedTool.of(tool, brought.get(tool.name)) for tool in self.tools),
            plugins_failed=tuple(FailedPlugin(name=m.dist, error=m.error or "") for m in self.installed.plugins.failed),
            limits=_limits(self.settings),
            policy_files=self.policy.files,
        )

    def request(self, run_id: str, session_id: str, messages: tuple[Message, ...]) -> RunRequest:
        """A run of these messages; the caller adds what is known of the conversation before it."""
        settings = self.settings
        return RunRequest(
            start=self.start(session_id),
            run_id=run_id,
            session_id=session_id,
            agent_id=settings.agent,
            messages=messages,
            models=self.models,
            tools=self.tools,
            system=self.prompt.text,
            state=self.prompt.state,
            context=context_policy(settings),
            temperature=settings.temperature,
            max_output_tokens=settings.max_output_tokens,
            schema=self.schema,
            verify_numbers=settings.verify_numbers,
            number_sources=settings.number_sources,
            limits=run_limits(settings),
            fail_on_denied=settings.on_denied == "fail",
        )


def _requested_models(settings: Settings) -> tuple[str, ...]:
    return tuple(name for name in (settings.model, *settings.fallback) if name)


def run_limits(settings: Settings) -> RunLimits:
    """The settings' limits as the runner knows them."""
    return RunLimits(
        max_turns=settings.max_turns,
        timeout_s=settings.timeout,
        first_chunk_s=settings.first_chunk_timeout,
        idle_s=settings.idle_timeout,
        max_tool_calls=settings.max_tool_calls,
    )


def context_policy(settings: Settings) -> ContextPolicy:
    """What the settings want to be done when a window is full; who writes summaries is named in full there."""
    provider, _, model = (settings.summary_model or "").partition(":")
    return ContextPolicy(
        strategy=settings.compaction,
        keep_recent=settings.keep_recent,
        summary_s=settings.summary_timeout,
        summary_model=ModelRef(provider=provider, model=model) if model else None,
    )


def _limits(settings: Settings) -> Limits:
    return Limits(
        max_turns=settings.max_turns,
        timeout_s=settings.timeout,
        first_chunk_s=settings.first_chunk_timeout,
        idle_s=settings.idle_timeout,
        max_tool_calls=settings.max_tool_calls,
        max_result_chars=settings.max_result_chars,
        max_cost_usd=settings.max_cost,
    )


def retry_policy(settings: Settings) -> RetryPolicy:
    """The settings' patience as the engine knows it."""
    return RetryPolicy(
        attempts=settings.retry_attempts,
        base_s=settings.retry_base,
        cap_s=settings.retry_cap,
        jitter=settings.retry_jitter,
    )


def executor_settings(settings: Settings) -> ExecutorSettings:
    """How the settings want tools to be run."""
    breakers = settings.tool.breakers.items()
    return ExecutorSettings(
        max_result_chars=settings.max_result_chars,
        timeouts_s=settings.tool.timeouts,
        plugin_settings=settings_of_plugins(settings),
        circuits={name: CircuitSettings(failures=b.failures, open_s=b.open) for name, b in breakers},
        guard=GuardSettings(
            tools={
                name: ToolGuard(allow_html=of.allow_html, mask_private=of.mask_private)
                for name, of in settings.tool.guard.items()
            },
            patterns=settings.mask,
        ),
        unmet=partial(missing_configuration, has_key=_has_key),
    )


def _has_key(name: str) -> bool:
    return bool(environment().variables.get(name)) or find_key(name) is not None


def lanes(settings: Settings) -> RunLanes:
    """The settings' lanes: across processes where an agent is named, or where runs without one wait, too."""
    most, queued, wait_s = settings.lane_max_running, settings.lane_max_queued, settings.lane_wait
    if settings.agent == UNNAMED_AGENT and not settings.lane_unnamed:
        return Lanes(max_running=most, max_queued=queued, wait_s=wait_s)
    from finclaw_cli.engine.user_lanes import UserLanes  # most runs name no agent

    return UserLanes(folder=lanes_folder(), max_running=most, max_queued=queued, wait_s=wait_s)


def is_ci(variables: Mapping[str, str]) -> bool:
    """Whether a system for continuous integration has started this process."""
    return variables.get("CI", "").lower() not in {"", "0", "false"}


def channel() -> str:
    """Where the run came from: `ci`, `tty` or `pipe`."""
    if is_ci(os.environ):
        return "ci"
    return "tty" if sys.stdin is not None and sys.stdin.isatty() else "pipe"


def context_maker(
    settings: Settings, run_id: str, session_id: str, channel_name: str
) -> Callable[[ToolCall, int], ToolContext]:
    """Return a function that makes the context of a call."""
    user = user_name()
    current = environment()
    workspace = current.workspace
    secret = partial(key_of, current)

    def make(call: ToolCall, turn: int) -> ToolContext:
        return ToolContext(
            agent_id=settings.agent,
            session_id=session_id,
            run_id=run_id,
            turn=turn,
            call_id=call.id,
            idempotency_key=idempotency_key(
                session_id=session_id,
                run_id=run_id,
                turn=turn,
                call_id=call.id,
                tool=call.name,
                arguments=call.input,
            ),
            home=home(),
            workspace=workspace,
            user=user,
            channel=channel_name,
            as_of=settings.as_of,
            secret=secret,
        )

    return make


def user_name() -> str:
    """Who runs this process: by its number, since the environment can say anything, and rules hold for users."""
    try:
        return pwd.getpwuid(os.getuid()).pw_name
    except KeyError:  # a container without a user database
        return str(os.getuid())
