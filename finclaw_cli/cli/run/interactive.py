"""A conversation at a terminal: one question after another in one session, until the user leaves."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from finclaw_cli.app.budget_store import require_prices
from finclaw_cli.app.connect import beside, require_keys
from finclaw_cli.app.front import Prompt
from finclaw_cli.app.plan import Plan
from finclaw_cli.cli.run.conversation import Conversation
from finclaw_cli.cli.run.outputs import Outputs
from finclaw_cli.cli.run.turn_scope import TurnScope
from finclaw_cli.cli.terminal.line_input import Interrupted, LineInput
from finclaw_cli.cli.terminal.signals import SignalHandling, SignalReceived
from finclaw_cli.core import exits
from finclaw_cli.core.errors import FinclawError
from finclaw_cli.engine.request import RunResult
from finclaw_cli.output.notice import error_text, notice

LEAVES = "Ctrl-D leaves"
LEAVING = frozenset({"exit", "quit", "/quit"})
HELP = '''/help         show this
/model NAME   ask another model from the next question on; alone: show the current one
/session      show this session's name and file
/exit         leave, as exit, quit and Ctrl-D do
//text        send /text
A line that ends with \\ continues in the next one. A line of """ alone begins a
question of several lines, another one ends it. Ctrl-C ends an answer, or clears
the line. Up and Ctrl-R find earlier questions.'''


class _Left(Exception):
    """Raised to end the conversation."""

    def __init__(self, code: int) -> None:
        super().__init__()
        self.code = code


class Interaction:
    """Reads questions from the terminal, and answers each."""

    def __init__(self, conversation: Conversation, scope: TurnScope, signals: SignalHandling, lines: LineInput) -> None:
        self._conversation = conversation
        self._scope = scope
        self._signals = signals
        self._lines = lines
        self._commands = {"/help": self._help, "/model": self._model, "/session": self._session, "/exit": self._exit}

    async def go_on(self, first: Prompt | None) -> int:
        """Answer the first question, if there is one, and all that follow; return the exit code.

        It is 0 where the user leaves, even if single questions failed: their errors were shown.
        """
        try:
            with self._conversation.opened():
                if isinstance(first, str) and "\n" not in first:  # else it contains files
                    self._lines.remember(first)
                if first is not None:
                    await self._answer(first)
                while True:
                    await self._answer(self._question())
        except _Left as left:
            await self._conversation.runner.released()
            return left.code

    async def _answer(self, prompt: Prompt) -> None:
        await asyncio.sleep(0)  # a signal of the previous question must not end this one
        self._scope.renew()
        result = await self._conversation.answer(prompt)
        await asyncio.sleep(0)  # handle a late signal
        if ended := self._scope.ended_by:
            raise _Left(ended.exit_code)
        if self._scope.is_cancelled:
            self._signals.renew()
        _warn_unknown(result)

    def _question(self) -> str:
        """The next question; commands are executed meanwhile."""
        while True:
            text = self._typed()
            if not text:
                continue
            if text.strip().lower() in LEAVING:
                raise _Left(exits.OK)
            self._lines.remember(text)
            if "\n" in text or not text.startswith("/"):
                return text
            if text.startswith("//"):
                return text[1:]
            name, _, rest = text.partition(" ")
            self._obey(name, rest.strip())

    def _typed(self) -> str:
        try:
            return self._lines.message()
        except Interrupted as interrupted:
            notice("" if not interrupted.nothing_typed else f"\n{LEAVES}")
        except EOFError:
            notice("")
            raise _Left(exits.OK) from None
        except SignalReceived as received:
            notice("")
            raise _Left(received.cancellation.exit_code) from None
        return ""

    def _obey(self, name: str, argument: str) -> None:
        command = self._commands.get(name)
        if command is None:
            notice(f"there is no {name}: /help lists the commands, //… sends a text that begins with /")
        else:
            command(argument)

    def _help(self, _argument: str) -> None:
        notice(HELP)

    def _exit(self, _argument: str) -> None:
        raise _Left(exits.OK)

    def _session(self, _argument: str) -> None:
        session = self._conversation.runner.plan.session
        notice(f"{session.name}: {session.path}" if session else "this conversation is not kept (--no-save)")

    def _model(self, argument: str) -> None:
        if argument:
            try:
                self._conversation.runner.change(asking(self._conversation.runner.plan, argument))
            except FinclawError as error:
                notice(error_text(error))
        notice(f"model: {_models(self._conversation.runner.plan)}")


def asking(plan: Plan, model: str) -> Plan:
    """The same plan with another model, checked as `--model` is; a given `--base-url` keeps its provider.

    Raises:
        UsageError: no provider recognises it, or its price is unknown and cost is limited.
        CredentialsError: there is no key for it.
    """
    settings, providers = plan.settings, plan.installed.providers
    models = (beside(settings, providers, model), *plan.models[1:])
    require_keys(settings, providers, models)
    require_prices(settings, providers, models)
    return replace(plan, models=models)


def greeting(plan: Plan, session_id: str) -> str:
    """The line at the start: session, models, and how to leave."""
    history = plan.session.history if plan.session else None
    goes_on = f", {len(history.messages)} messages so far" if history and history.messages else ""
    return f"finclaw: {session_id}{goes_on} · {_models(plan)} · /help, {LEAVES}"


def _models(plan: Plan) -> str:
    return ", then ".join(map(str, plan.models))


def _warn_unknown(result: RunResult) -> None:
    if result.unknown and result.error is not None:
        notice(f"what became of {', '.join(result.unknown)} is unknown: look before you ask for it again")


async def converse(
    conversation: Conversation, scope: TurnScope, signals: SignalHandling, first: Prompt | None, outputs: Outputs
) -> int:
    """Hold a conversation until the user leaves; return the exit code."""
    if not outputs.quiet:
        notice(greeting(conversation.runner.plan, conversation.runner.session_id))
    lines = LineInput(outputs.fd, signals, keeps_history=conversation.runner.plan.settings.save)
    return await Interaction(conversation, scope, signals, lines).go_on(first)
