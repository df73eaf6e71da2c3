"""From the keyword arguments of an agent to what its conversations are made from."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from finclaw_cli.agent.approval import approver_of
from finclaw_cli.agent.caller_tools import WantedTools
from finclaw_cli.agent.options import OWN, AgentOptions
from finclaw_cli.agent.relay import Relay
from finclaw_cli.app.budget_store import user_ledger
from finclaw_cli.app.connect import Connector, begin_to_connect
from finclaw_cli.app.engine import engine_for, engine_of
from finclaw_cli.app.front import Front
from finclaw_cli.app.open_session import WantedSession, opened_session
from finclaw_cli.app.plan import Plan, is_ci
from finclaw_cli.app.planner import Planner, PlanOptions
from finclaw_cli.app.read_schema import checked_schema, read_schema
from finclaw_cli.app.session_runner import SessionRunner
from finclaw_cli.core.budget import BudgetStore
from finclaw_cli.core.clean import clean
from finclaw_cli.core.environment import Environment, environment
from finclaw_cli.core.errors import UsageError
from finclaw_cli.core.json_text import JsonObject
from finclaw_cli.core.ports import Approver, EventSink
from finclaw_cli.core.secrets import KnownSecrets
from finclaw_cli.core.usage import Tier
from finclaw_cli.engine.cancel import CancelScope
from finclaw_cli.engine.connection import Connect, Connection
from finclaw_cli.engine.lanes import MOST_REQUESTS
from finclaw_cli.engine.pacing import UNPACED, Pacing
from finclaw_cli.engine.request import ModelRef
from finclaw_cli.policy.rules import CHANNELS
from finclaw_cli.settings.load import LoadedSettings
from finclaw_cli.settings.model import declarations
from finclaw_cli.tools.null_services import NoOutcomeResolver
from finclaw_cli.transcript.session import Session

LOG = "finclaw"
NO_SESSION = WantedSession(name=None, latest=False, resume=False)


def environment_of(options: AgentOptions) -> Environment:
    """The environment of an agent: the variables of the process, with its own keys over them."""
    keys = options.get("keys", {})
    secrets = KnownSecrets()
    for key in keys.values():
        secrets.add(key)
    return Environment(
        variables={**os.environ, **keys},
        secrets=secrets,
        home=_folder(options.get("home")),
        folder=_folder(options.get("workspace")),
    )


def _folder(given: str | os.PathLike[str] | None) -> Path | None:
    return None if given is None else Path(given).expanduser().absolute()


def channel_of(options: AgentOptions) -> str:
    """The channel of an agent's runs.

    Raises:
        UsageError: the options name one that there is not.
    """
    channel = options.get("channel") or ("ci" if is_ci(environment().variables) else "pipe")
    if channel not in CHANNELS:
        raise UsageError(f"channel: there is no channel {channel!r}", hint=f"Channels: {', '.join(CHANNELS)}.")
    return channel


def settings_in(options: AgentOptions, tools: WantedTools) -> dict[str, object]:
    """The settings among the options.

    Raises:
        UsageError: one is for the command line alone.
    """
    given = {name: value for name, value in options.items() if name not in OWN}
    if foreign := [name for name, each in declarations().items() if each.terminal and name in given]:
        raise UsageError(f"Agent has no option {foreign[0]!r}", hint="It is about stdin, stdout or a terminal.")
    return {**given, "tools": tools.names}


def report(line: str) -> None:
    """Log a line that belongs to no run."""
    logging.getLogger(LOG).warning("%s", clean(environment().secrets.mask(line)))


class Opening:
    """What the conversations of an agent share: plan, connections, usage store."""

    def __init__(
        self,
        loaded: LoadedSettings,
        options: AgentOptions,
        tools: WantedTools,
        *,
        channel: str | None = None,
        max_requests: int = MOST_REQUESTS,
        pacing: Pacing = UNPACED,
        tier: Tier = "standard",
    ) -> None:
        self._options = options
        self._tools = tools
        self._channel = channel or channel_of(options)
        self.plan = self._planned(loaded)
        """What every conversation is made from."""
        self._settings = self.plan.settings
        self._connect = Connector(
            self._settings, self.plan.installed.providers, max_requests=max_requests, pacing=pacing, tier=tier
        )
        self._ledger = user_ledger(report, limit_s=self._settings.timeout)
        self._engine = engine_of(self._settings, self.plan.installed.providers, self._connect, self._ledger)
        self._session = self.plan.session

    def connection(self, ref: ModelRef) -> Connection:
        """The connection to a model."""
        return self._connect(ref)

    def begin_to_connect(self) -> None:
        """Let the connection to the first model be made while all else is made ready."""
        begin_to_connect(self._settings, self.plan.installed.providers, self._connect, self.plan.models[0])

    def named_session(self, relay: Relay, scope: CancelScope) -> SessionRunner:
        """The conversation in the session that the options name, or in one of its own."""
        session = self._session
        if session is None:
            return self.own_session(relay, scope)
        runner = self.runner(session.again(), relay, scope)
        session.close()  # now the conversation holds it
        self._session = None
        return runner

    def own_session(self, relay: Relay, scope: CancelScope) -> SessionRunner:
        """A conversation in a session of its own."""
        return self.runner(opened_session(NO_SESSION, save=self._settings.save), relay, scope)

    async def aclose(self) -> None:
        """Close the connections and the usage store."""
        if self._session is not None:
            self._session.close()
        await self._connect.aclose()
        await self._ledger.caught_up()
        self._ledger.ledger.close()

    def runner(
        self,
        session: Session | None,
        sink: EventSink,
        scope: CancelScope,
        further: BudgetStore | None = None,
        through: Callable[[Connect], Connect] = lambda connect: connect,
    ) -> SessionRunner:
        """A conversation in this session.

        Args:
            session: where it is kept.
            sink: takes its events.
            scope: ends it from outside.
            further: a budget that its requests also need money of.
            through: puts something between it and the connections to its models.
        """
        plan = replace(self.plan, session=session)
        engine = engine_for(self._engine, self._settings, self._ledger, further)
        engine = replace(engine, connect=through(engine.connect))
        front = Front(
            approver=self._approver,
            outcome_resolver=NoOutcomeResolver(),
            sinks=[sink],
            scope=scope,
            secrets=environment().secrets,
            report=report,
            is_retractable=True,
        )
        return SessionRunner(plan, engine, self._ledger, front)

    def _approver(self) -> Approver:
        return approver_of(self._options.get("approver"), self._settings)

    def _planned(self, loaded: LoadedSettings) -> Plan:
        options = PlanOptions(
            session=_wanted_session(self._options),
            channel=self._channel,
            chosen=frozenset(name for name, value in self._options.items() if value is not None),
            use_plugins=not self._options.get("no_plugins", False),
            functions=self._tools.functions,
            report=report,
        )
        planner = Planner(loaded.settings, options)
        for ignored in loaded.warnings:
            planner.warn(ignored.code, ignored.message)
        try:
            if options.session != NO_SESSION:
                planner.open_session()
            planner.prepare(_schema(self._options.get("schema")))
        except BaseException:
            if (session := planner.plan().session) is not None:
                session.close()
            raise
        return planner.plan()


def _wanted_session(options: AgentOptions) -> WantedSession:
    return WantedSession(
        name=options.get("session"), latest=options.get("continue_", False), resume=options.get("resume", False)
    )


def _schema(given: object) -> JsonObject | None:
    """The JSON Schema of an answer.

    Raises:
        UsageError: it is neither a schema, nor a pydantic model, nor the name of a file.
    """
    if given is None:
        return None
    if isinstance(given, str):
        return read_schema(given)
    if isinstance(given, type) and hasattr(given, "model_json_schema"):
        given = given.model_json_schema()
    if not isinstance(given, dict):
        raise UsageError("schema: neither a JSON Schema nor a pydantic model", code="bad_schema")
    return checked_schema(given)
