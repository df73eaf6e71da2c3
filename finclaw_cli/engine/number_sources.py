"""Asking the model of an answer for the derivations of its figures: a request like any other, but it is not shown."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from finclaw_cli.core.clean import without_hidden
from finclaw_cli.core.environment import environment
from finclaw_cli.core.errors import FinclawError, ProviderError
from finclaw_cli.core.messages import Message
from finclaw_cli.core.ports import SideReply
from finclaw_cli.engine.context_window import ContextWindow
from finclaw_cli.engine.grounding import Ask
from finclaw_cli.engine.model_caller import ModelCaller
from finclaw_cli.engine.model_requests import ModelRequestRunner
from finclaw_cli.engine.request import RunRequest
from finclaw_cli.engine.run_state import RunState
from finclaw_cli.engine.side_requests import SideRequests

# The longest that a reply may take, and the most tokens of it.
WITHIN_S, MOST_TOKENS = 120.0, 8_192


def number_sources(
    request: RunRequest, caller: ModelCaller, record: RunState, room: ContextWindow, exchange: ModelRequestRunner
) -> Ask | None:
    """What asks the model of a run for the sources of figures; None where it is not to be asked.

    The request begins as that of a turn does, with the same tools, so that the provider's cache has all of it but the
    question. There is no reply where it fails, or where there is no money for it.
    """
    if request.number_sources != "model":
        return None

    async def ask(question: str) -> str:
        asked = Message("user", environment().secrets.mask(question))
        connection, turn = caller.connection, caller.model_request((*record.messages, asked))
        made = replace(
            turn,
            schema=None,
            max_output_tokens=min(turn.max_output_tokens or MOST_TOKENS, MOST_TOKENS),
            window_left=room.left(connection.ref, asked),
        )
        requests = SideRequests(connection, exchange, purpose="numbers", within_s=WITHIN_S)
        deadline = asyncio.get_running_loop().time() + WITHIN_S
        try:
            reply = await requests(record.turns, made, room.expected(connection.ref, asked), deadline)
        except ProviderError:
            return ""
        except FinclawError as error:  # there is no money for it: it was not asked for
            await exchange.log.add_reply(SideReply(error=error.message), "numbers")
            return ""
        return environment().secrets.mask(without_hidden(reply))

    return ask
