"""`finclaw replay --model`: the same questions to another model, with recorded tool results."""

from __future__ import annotations

from asyncio import get_running_loop
from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from itertools import takewhile
from typing import NoReturn

from finclaw_cli.app.budget_store import require_prices, user_ledger
from finclaw_cli.app.connect import Connector, chosen_models, require_keys
from finclaw_cli.app.engine import engine_of
from finclaw_cli.app.inventory import find_skills
from finclaw_cli.app.plan import Installed, context_maker, executor_settings, find_installed, with_plugin_rules
from finclaw_cli.app.recorded_plan import installed_then, recorded_plan
from finclaw_cli.app.run_record import recorded_settings
from finclaw_cli.app.run_tools import RunTools
from finclaw_cli.cli.leave import leave
from finclaw_cli.cli.listing import print_json
from finclaw_cli.cli.plugins.event_loop import plugin_runner
from finclaw_cli.cli.replay.replay_session import Replay
from finclaw_cli.cli.replay.verify_session import recorded_runs
from finclaw_cli.cli.terminal.signals import SignalHandling
from finclaw_cli.core import exits
from finclaw_cli.core.clean import clean
from finclaw_cli.core.events.agent import AgentResult, AgentStart, AgentToolCall, Emitted
from finclaw_cli.core.ids import new_run_id
from finclaw_cli.core.json_text import JsonObject, dump_line, jsonable
from finclaw_cli.core.messages import Message
from finclaw_cli.core.ports import EventSink
from finclaw_cli.core.record import record
from finclaw_cli.core.tool import ToolDefinition
from finclaw_cli.core.usage import Usage
from finclaw_cli.engine.cancel import CancelScope
from finclaw_cli.engine.request import ModelRef, RunResult
from finclaw_cli.engine.run import Run
from finclaw_cli.output.console import echo
from finclaw_cli.output.notices import Notices, Verbosity
from finclaw_cli.policy.judge import StagedPolicy
from finclaw_cli.settings.load import load_settings
from finclaw_cli.settings.model import Settings
from finclaw_cli.settings.policy_files import load_policy
from finclaw_cli.tools.blocked import ended_after
from finclaw_cli.tools.executor import ToolServices
from finclaw_cli.tools.null_services import AutoApprover, NoHooks, NoJournal, unloaded
from finclaw_cli.tools.registry import ToolEntry
from finclaw_cli.transcript.known_tools import KnownTools
from finclaw_cli.transcript.recording import RunRecording
from finclaw_cli.usage.sink import LedgerFirst, LedgerSink


@record(kw_only=True)
class Compared:
    """One question, and both models' answers to it."""

    question: str
    recorded: AgentResult | None
    now: RunResult


def ask_another(wanted: Replay) -> NoReturn:
    """Send each question of a session to another model, in one new conversation; exit with the last run's code.

    Raises:
        UsageError: there is no such session, or it has no question.
        CredentialsError: there is no key for the model.
    """
    settings = load_settings(wanted.flags).settings
    installed = find_installed(settings)
    models = chosen_models(settings, installed.providers)
    require_keys(settings, installed.providers, models)
    require_prices(settings, installed.providers, models)
    runs = list(recorded_runs(wanted.session))
    scope = CancelScope()
    signals = SignalHandling(scope)
    interview = Interview(settings, installed, models, runs, scope)
    compared = plugin_runner().run(interview(signals))
    model = str(models[0])
    match settings.output:
        case "text":
            for each in compared:
                _echo(each, model)
        case "ndjson":
            for each in compared:
                echo(dump_line(_facts(each, model)))
        case _:
            print_json([_facts(each, model) for each in compared])
    leave(compared[-1].now.exit_code if compared else exits.OK)


class Interview:
    """Sends the questions of a session again. No tool runs: a recorded call returns its recorded result."""

    def __init__(
        self,
        settings: Settings,
        installed: Installed,
        models: tuple[ModelRef, ...],
        runs: Sequence[RunRecording],
        scope: CancelScope,
    ) -> None:
        self._settings = settings
        self._installed = installed
        self._models = models
        self._runs = runs
        self._scope = scope
        self._skills = find_skills(installed.plugins)
        self._known = KnownTools(runs)
        self._ledger = user_ledger(limit_s=settings.timeout)
        self._engine = engine_of(settings, installed.providers, Connector(settings, installed.providers), self._ledger)

    async def __call__(self, signals: SignalHandling) -> list[Compared]:
        """Send the questions until a run fails."""
        signals.attach(get_running_loop())
        compared: list[Compared] = []
        messages: tuple[Message, ...] = ()
        for place, recording in enumerate(self._runs):
            question = next((message for message in recording.opening if message.role == "user"), None)
            if question is None or recording.start is None:
                continue  # it continued an earlier question
            now = await self._ask(recording, recording.start, (*messages, question))
            compared.append(Compared(question=question.text, recorded=self._result(place), now=now))
            messages = now.messages
            if now.error is not None:
                break
        return compared

    def _result(self, place: int) -> AgentResult | None:
        """The result of a question: of its own run, or of the last one that continued it."""
        later = takewhile(lambda run: not run.opening, self._runs[place + 1 :])
        results = [run.result for run in (self._runs[place], *later)]
        return next((result for result in reversed(results) if result is not None), None)

    async def _ask(self, recording: RunRecording, start: AgentStart, messages: tuple[Message, ...]) -> RunResult:
        settings = recorded_settings(self._settings, recording.about, start)
        installed = installed_then(self._installed, recording.about)
        policy = with_plugin_rules(load_policy(settings.policy), self._installed.plugins)
        plan = recorded_plan(
            recording.about, start, settings=settings, installed=installed, skills=self._skills, policy=policy
        )
        run_id = new_run_id()
        request = replace(plan, models=self._models).request(run_id, run_id, messages)
        services = ToolServices(
            policy=StagedPolicy(policy.rules), approver=AutoApprover("replay"), journal=NoJournal(), hooks=NoHooks()
        )
        registry = installed.tools.only(plan.tools).loaded_by(_harmless)
        context_of = context_maker(settings, run_id, start.session_id, start.channel)
        tools = RunTools(
            registry=registry,
            services=services,
            context_of=context_of,
            settings=executor_settings(settings),
            runner=lambda _: self._known,
        )
        notices = Notices(Verbosity(quiet=False, steps=False, live=False, spoken=False))
        sinks: list[EventSink] = [LedgerFirst(self._ledger), _Paid(LedgerSink(self._ledger)), notices]
        run = Run(self._engine, request, toolbox=tools.toolbox, sinks=sinks, scope=self._scope)
        with ended_after(settings.timeout):
            return await run()


@record
class _Paid:
    """Passes on the events of requests alone: tool calls were accounted for in the recorded run."""

    ledger: EventSink

    async def take(self, emitted: Emitted) -> None:
        if not isinstance(emitted.event, AgentToolCall):
            await self.ledger.take(emitted)


def _harmless(entry: ToolEntry) -> ToolDefinition:
    """A definition that runs no code of the tool; an untrusted plugin is not imported."""
    return replace(entry.load() if entry.spec.is_trusted else unloaded(entry.spec), preview=None, reconcile=None)


def _echo(compared: Compared, model: str) -> None:
    quoted = "\n".join(f"> {line}" for line in clean(compared.question).splitlines())
    echo(f"{quoted}\n")
    for title, side in (("recorded", _side(compared.recorded)), ("now", _side(compared.now, model))):
        echo(f"── {title}: {side.model or 'no model'} · {side.used}")
        echo(f"{clean(side.text)}\n")


@record(kw_only=True)
class Side:
    """One model's answer, with its turns, tokens and cost."""

    model: str | None
    text: str
    status: str | None
    turns: int
    tool_calls: Mapping[str, int]
    usage: Usage | None
    cost_usd: Decimal | None

    @property
    def used(self) -> str:
        """Turns, tokens and cost as text."""
        tokens = f"{self.usage.input:,} tokens in, {self.usage.output:,} out" if self.usage else "tokens unknown"
        cost = f"{self.cost_usd} USD" if self.cost_usd is not None else "cost unknown"
        ended = "" if self.status == "completed" else f" · {self.status or 'no end'}"
        return f"{self.turns} turn{'' if self.turns == 1 else 's'} · {tokens} · {cost}{ended}"


def _side(result: AgentResult | RunResult | None, model: str | None = None) -> Side:
    if result is None:
        return Side(model=None, text="", status=None, turns=0, tool_calls={}, usage=None, cost_usd=None)
    return Side(
        model=result.model or model,
        text=result.text,
        status=result.status,
        turns=result.turns,
        tool_calls=result.tool_calls,
        usage=result.usage,
        cost_usd=result.cost_usd,
    )


def _facts(compared: Compared, model: str) -> JsonObject:
    return {
        "question": compared.question,
        "recorded": jsonable(_side(compared.recorded)),
        "now": jsonable(_side(compared.now, model)),
    }
