"""The estimated cost of the first request of a run, counted locally: nothing is sent."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path

from finclaw_cli.app.connect import first_model
from finclaw_cli.app.local_time import local_now
from finclaw_cli.app.model_facts import model_prices, model_windows
from finclaw_cli.app.plan import find_installed
from finclaw_cli.app.present import current_context
from finclaw_cli.catalog.prices import Cost
from finclaw_cli.cli.listing import print_json
from finclaw_cli.cli.run.prompt import PromptParts, read_prompt
from finclaw_cli.core.json_text import JsonObject, jsonable
from finclaw_cli.core.messages import Message
from finclaw_cli.core.money import tidy, usd
from finclaw_cli.core.ports import whole_prompt
from finclaw_cli.core.record import record
from finclaw_cli.core.secrets import PROCESS
from finclaw_cli.core.usage import Usage
from finclaw_cli.engine.budget import LONG_ANSWER_TOKENS, Wish, highest_price
from finclaw_cli.engine.context.count import Breakdown, TokenCounter
from finclaw_cli.engine.request import ModelRef
from finclaw_cli.output.console import echo_prose, echo_table
from finclaw_cli.output.notice import notice
from finclaw_cli.settings.load import load_settings
from finclaw_cli.settings.model import Settings

_ANSWER = 1_000


@record(kw_only=True)
class Estimate:
    """A first request and its cost; amounts are None where the price is unknown."""

    model: ModelRef
    parts: Breakdown
    longest: int
    """The most tokens of the answer."""
    question: Cost
    answer_usd: Decimal | None
    """The cost of a thousand tokens of it."""
    at_most_usd: Decimal | None
    """The `--max-cost` that an answer of that length needs."""


def print_estimate(prompt: str | None, files: tuple[Path, ...], flags: Mapping[str, object], *, as_json: bool) -> None:
    """Print the size and the cost of the first request of a run with this prompt.

    Raises:
        UsageError: there is no prompt, or no such model or tool.
        CredentialsError: no model is named, and no provider has a key.
    """
    settings = load_settings(flags).settings
    parts = PromptParts(argument=prompt, files=files, stdin_timeout_s=settings.stdin_timeout)
    question = Message("user", PROCESS.mask(read_prompt(parts, lambda _, message: notice(f"finclaw: {message}"))))
    estimate = _estimated(settings, question)
    if as_json:
        print_json(_facts(estimate))
    else:
        _echo(estimate)


def _estimated(settings: Settings, question: Message) -> Estimate:
    installed, now = find_installed(settings), local_now()
    ref = first_model(settings, installed.providers)
    context = current_context(settings, installed)
    counter = TokenCounter(whole_prompt(context.prompt.text, context.prompt.state), context.tools)
    counted = counter.breakdown((question,))
    prices = model_prices(settings, installed.providers)
    limit = model_windows(settings, installed.providers).most_output(ref)
    longest = min(settings.max_output_tokens or LONG_ANSWER_TOKENS, limit or LONG_ANSWER_TOKENS)

    wish = Wish(
        ref=ref,
        at=now,
        input_tokens=counter.most_billed((question,), is_same_prompt=False),
        output_tokens=longest,
        spent_usd=Decimal(0),
    )
    price = highest_price(prices, wish)
    return Estimate(
        model=ref,
        parts=counted,
        longest=longest,
        question=prices.cost(ref, Usage(input=counted.total), now),
        answer_usd=None if price is None else tidy(price.per_token_usd * _ANSWER),
        at_most_usd=None if price is None else tidy(price.with_answer(longest)),
    )


def _facts(estimate: Estimate) -> JsonObject:
    parts, cost = estimate.parts, estimate.question
    return {
        "model": str(estimate.model),
        "input_tokens": parts.total,
        "system_tokens": parts.system,
        "tool_tokens": parts.tools,
        "prompt_tokens": parts.conversation,
        "max_output_tokens": estimate.longest,
        "input_usd": jsonable(cost.usd),
        "output_usd_per_1000_tokens": jsonable(estimate.answer_usd),
        "at_most_usd": jsonable(estimate.at_most_usd),
        "price_source": cost.source or None,
    }


def _echo(estimate: Estimate) -> None:
    parts, cost = estimate.parts, estimate.question
    echo_prose(f"The first request to {estimate.model}, estimated and not sent:")
    counts = {"system prompt": parts.system, "tool definitions": parts.tools, "the prompt": parts.conversation}
    width = max(len(f"{count:,}") for count in (*counts.values(), parts.total))
    rows = [(name, f"{count:>{width},} tokens", "") for name, count in counts.items()]
    rows.append(("together", f"{parts.total:>{width},} tokens", _price(cost.usd)))
    rows.append(("an answer", f"{_ANSWER:>{width},} tokens", _price(estimate.answer_usd)))
    echo_table(("", "", ""), rows)
    if estimate.at_most_usd is None:
        echo_prose(f"\nIts price is unknown. Set it: finclaw models set {estimate.model} --input USD --output USD")
        return
    echo_prose(f"\nAt most {usd(estimate.at_most_usd)}, with an answer of {estimate.longest:,} tokens ({cost.source});")
    echo_prose("this assumes the most tokens that the question can have.")
    echo_prose("Each further turn sends all of it again, with the results of tools.")


def _price(amount: Decimal | None) -> str:
    return "unknown" if amount is None else usd(amount)
