"""What the tour shows: real commands, one after the other, and what each is there to show."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

# The made-up prices end there, so that the tour is the same in any year.
_ASK = ("-m", "demo", "--as-of", "2026-10-30")
_BUY = "Buy 10 shares of ACME"


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One command of the tour."""

    title: str
    command: tuple[str, ...]
    """The arguments after `finclaw`."""
    codes: tuple[int, ...] = (0,)
    """The exit codes that belong to it."""
    after: str = ""
    """What to look at in what it showed."""


def steps(*, can_ask: bool) -> Iterator[Step]:
    """The tour, from the user's own files to the same bytes again.

    Args:
        can_ask: whether a person is there to approve an order.
    """
    yield Step(
        title="Your own prices: a German broker's file, with an error in it",
        command=("data", "import", "nova.csv", "--symbol", "NOVA", "--currency", "EUR", "--adjustment", "none"),
        after="One price is a hundredth of the others: it is named, not averaged away.",
    )
    yield Step(
        title="A question: several tools at once, every number traced to a tool's result",
        command=("run", *_ASK, "--session", "tour", "--verify-numbers", "fail", "How risky is ACME?"),
        after="The words are scripted, the numbers are the tools'. One without a source would end in exit code 12.",
    )
    yield from _order(can_ask=can_ask)
    yield Step(
        title="Your own books: what would be read of a bank statement is shown; --write keeps it",
        command=("ledger", "import", "statement.csv", "--account", "giro", "--write"),
    )
    yield Step(
        title="Private data: account and card numbers are masked before a model sees them",
        command=("run", *_ASK, "-t", "data:*", *_approved("spending", "ledger_transactions"), "What did I spend?"),
        after="Tools that read your books are offered only where you name them (-t), and run only when approved.",
    )
    yield Step(title="What it cost: scripted words are free, and still counted", command=("cost", "--by", "model"))
    yield Step(
        title="The first answer, held against what the same code would do today",
        command=("replay", "tour", "--verify"),
    )


def _order(*, can_ask: bool) -> Iterator[Step]:
    order = ("run", *_ASK)
    if can_ask:
        yield Step(
            title="An order moves money, so it asks you (paper account, no real money)",
            command=(*order, _BUY),
            codes=(0, 8),
        )
        return
    yield Step(
        title="An order moves money: no user is here to approve it, so it does not run",
        command=(*order, _BUY),
        codes=(8,),
        after="Exit code 8: a tool was not run for want of approval.",
    )
    yield Step(
        title="The same order, approved in advance by name (paper account, no real money)",
        command=(*order, "--approve", "place_order", _BUY),
    )


def _approved(*tools: str) -> Iterator[str]:
    for tool in tools:
        yield from ("--approve", tool)
