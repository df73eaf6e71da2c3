"""The usage of the requests of one run: reported before each is made, and when it has ended, however it did."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from decimal import Decimal

from finclaw_cli.catalog.prices import NO_PRICE
from finclaw_cli.catalog.tiers import in_tier
from finclaw_cli.core.events.agent import AgentWarning
from finclaw_cli.core.events.budget import (
    BudgetExceeded,
    BudgetReserved,
    BudgetScope,
    BudgetSpent,
    BudgetThreshold,
    Purpose,
    RequestStatus,
)
from finclaw_cli.core.events.parts import Compactions
from finclaw_cli.core.money import total, usd
from finclaw_cli.core.ports import Emit, ModelRequest
from finclaw_cli.core.record import record
from finclaw_cli.core.usage import Usage, added
from finclaw_cli.engine.assemble import Assembler, is_believable, known_usage
from finclaw_cli.engine.budget import LONG_ANSWER_TOKENS, Allowance, OverBudget, Wish
from finclaw_cli.engine.connection import Connection
from finclaw_cli.engine.context.estimate import estimated_tokens
from finclaw_cli.engine.engine import Engine

NEARLY = Decimal("0.8")
_NOTHING = Usage()


@record(kw_only=True)
class Expected:
    """How many tokens a question has, about and at most, and how many the provider counts for one of ours."""

    tokens: int
    at_most: int
    factor: float = 1.0

    @classmethod
    def of(cls, tokens: int, at_most: int, factor: float) -> Expected:
        """What is expected; where the estimate is more than there can be, that."""
        return cls(tokens=min(tokens, at_most), at_most=at_most, factor=factor)


@record(kw_only=True)
class RequestPosition:
    """Where in a run a request is made."""

    turn: int
    attempt: int
    purpose: Purpose = "turn"


@record(kw_only=True)
class StartedRequest:
    """A request that is being made, with an answer no longer than there is money for."""

    number: int
    at: datetime
    """When it began: what it costs is what it cost then."""
    place: RequestPosition
    connection: Connection
    request: ModelRequest
    expected: Expected
    allowance: Allowance


@record(kw_only=True)
class FinishedRequest:
    """How a request ended."""

    status: RequestStatus
    streamed: Assembler
    took_nothing: bool = False
    """Whether it was refused before anything was done for it."""


class Spending:
    """Keeps count of what one run spends."""

    def __init__(self, engine: Engine, emit: Emit) -> None:
        self._engine = engine
        self._emit = emit
        self._number = 0
        self._costs: list[Decimal | None] = []
        self._summaries: list[BudgetSpent] = []
        self._warned: set[BudgetScope] = set()
        self._has_warned = False
        self.usage: Usage | None = None
        """What all requests took; None where none took anything, or it was not reported."""
        self.estimated = False
        """Whether some of it was counted here."""
        self.last_cost_usd: Decimal | None = None
        """What the last request has cost, as far as that was reported."""
        self.is_short = False
        """Whether its answer could not be as long as was wished for, for want of money."""

    @property
    def cost_usd(self) -> Decimal | None:
        """What all requests have cost; None where that of one is not known, or there was none."""
        return _sum(self._costs)

    async def begin(
        self, connection: Connection, request: ModelRequest, place: RequestPosition, expected: Expected
    ) -> StartedRequest:
        """Count a request in that is about to be made.

        Raises:
            OverBudget: there is no money for it.
            FinclawError: it is unknown whether there is.
        """
        wish = Wish(
            ref=connection.ref,
            tier=connection.tier,
            at=self._engine.clock.now(),
            input_tokens=expected.at_most,
            output_tokens=request.most_output(LONG_ANSWER_TOKENS) or LONG_ANSWER_TOKENS,
            spent_usd=total(cost for cost in self._costs if cost is not None),
        )
        allowance = await self._allowed(wish, place)
        self._number += 1
        self.is_short = allowance.is_short
        try:
            await self._warn_if_short(wish, allowance)
            await self._emit_reserved(connection, place, expected)
        except BaseException:  # the request is not made
            await self._engine.budget.release(allowance)
            raise
        return StartedRequest(
            number=self._number,
            at=wish.at,
            place=place,
            connection=connection,
            request=replace(request, affordable=allowance.output_tokens),
            expected=expected,
            allowance=allowance,
        )

    async def end(self, begun: StartedRequest, ended: FinishedRequest) -> BudgetSpent:
        """Count in what a request took."""
        spent = await self._told_spent(begun, ended)
        self._book(spent)
        await self._warn_if_more(begun, spent)
        await self._engine.budget.release(begun.allowance)
        return spent

    def take_summaries(self) -> Compactions:
        """What summaries took that were asked for since this was asked last, as one step of making room."""
        asked, self._summaries = self._summaries, []
        usage: Usage | None = None
        for spent in asked:
            usage = added(usage, spent.usage if spent.usage.total else None)
        costs = [spent.cost_usd for spent in asked]
        return Compactions(count=1, summaries=len(asked), usage=usage, cost_usd=_sum(costs))

    async def _allowed(self, wish: Wish, place: RequestPosition) -> Allowance:
        try:
            allowance = await self._engine.budget.allow(wish)
        except OverBudget as error:
            standing = error.standing
            await self._emit(
                BudgetExceeded(
                    scope=standing.scope,
                    limit_usd=standing.limit_usd,
                    spent_usd=standing.spent_usd,
                    reserved_usd=standing.reserved_usd,
                    needed_usd=error.needed_usd,
                    turn=place.turn,
                    model=str(wish.ref),
                )
            )
            raise
        for standing in allowance.statuses:
            if standing.spent_usd >= NEARLY * standing.limit_usd > 0 and standing.scope not in self._warned:
                self._warned.add(standing.scope)
                limit, spent = standing.limit_usd, standing.spent_usd
                await self._emit(BudgetThreshold(scope=standing.scope, limit_usd=limit, spent_usd=spent))
        return allowance

    async def _warn_if_short(self, wish: Wish, allowance: Allowance) -> None:
        tokens = allowance.output_tokens
        if allowance.is_short and tokens is not None and not self._has_warned:
            self._has_warned = True
            message = (
                f"the answer is limited to {tokens:,} tokens in place of {wish.output_tokens:,}: "
                "there is no money for a longer one"
            )
            await self._emit(AgentWarning(code="short_answer", message=message))

    async def _warn_if_more(self, begun: StartedRequest, spent: BudgetSpent) -> None:
        most = begun.allowance.at_most_usd
        if most is not None and spent.cost_usd is not None and spent.cost_usd > most:
            message = (
                f"{spent.model} reports {usd(spent.cost_usd)} for a request that could cost {usd(most)} at most: "
                "it does not keep to the limit of its answer"
            )
            await self._emit(AgentWarning(code="limit_ignored", message=message))

    async def _emit_reserved(self, connection: Connection, place: RequestPosition, expected: Expected) -> None:
        engine, ref = self._engine, connection.ref
        usage = _NOTHING if connection.takes_what_it_reports else Usage(input=expected.tokens)
        known = engine.prices.cost(ref, usage, engine.clock.now()) if engine.prices.at_once(ref) else NO_PRICE
        known = in_tier(known, ref.provider, connection.tier)
        await self._emit(
            BudgetReserved(
                number=self._number,
                turn=place.turn,
                attempt=place.attempt,
                purpose=place.purpose,
                model=str(ref),
                usage=usage,
                cost_usd=known.usd,
                price_source=known.source,
                tier=connection.tier,
            )
        )

    async def _told_spent(self, begun: StartedRequest, ended: FinishedRequest) -> BudgetSpent:
        engine, place, ref = self._engine, begun.place, begun.connection.ref
        usage, is_estimated = _taken(begun, ended)
        # What was refused costs nothing, whatever the model costs; nothing is looked up for that.
        tier = begun.connection.tier
        cost = None if ended.took_nothing else in_tier(engine.prices.cost(ref, usage, begun.at), ref.provider, tier)
        spent = BudgetSpent(
            number=begun.number,
            turn=place.turn,
            attempt=place.attempt,
            purpose=place.purpose,
            model=str(ref),
            status=ended.status,
            usage=usage,
            estimated=is_estimated,
            cost_usd=cost.usd if cost else Decimal(0),
            uncached_usd=cost.uncached_usd if cost else Decimal(0),
            price_source=cost.source if cost else "",
            tier=tier,
        )
        await self._emit(spent)
        return spent

    def _book(self, spent: BudgetSpent) -> None:
        self.last_cost_usd = None if spent.estimated else spent.cost_usd
        if spent.purpose == "compaction":
            self._summaries.append(spent)
        self._costs.append(spent.cost_usd)
        self.usage = added(self.usage, spent.usage if spent.usage.total else None)
        self.estimated = self.estimated or spent.estimated


def _taken(begun: StartedRequest, ended: FinishedRequest) -> tuple[Usage, bool]:
    """What a request took, and whether that was counted here: it broke off, or not all of it was reported."""
    report, expected = ended.streamed.reported, begun.expected
    if ended.took_nothing or begun.connection.takes_what_it_reports:
        return known_usage(report) if report else _NOTHING, False
    written = round(estimated_tokens(ended.streamed.streamed_text) * expected.factor)
    if (limit := begun.request.affordable) is not None:
        written = min(written, limit)
    if report is None or not is_believable(known_usage(report), is_empty=not written):
        return Usage(input=expected.tokens, output=written), True
    asked = report.input is not None or bool(report.cache_read or report.cache_write)
    is_whole = ended.status == "complete" and asked and report.output is not None
    usage = known_usage(report if asked else replace(report, input=expected.tokens))
    return usage if is_whole else replace(usage, output=max(usage.output, written)), not is_whole


def _sum(costs: list[Decimal | None]) -> Decimal | None:
    known = [cost for cost in costs if cost is not None]
    return total(known) if known and len(known) == len(costs) else None
