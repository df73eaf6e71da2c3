"""The contract of `Rounds`: what is known of a question, whatever comes late or twice. Every queue passes it."""

from __future__ import annotations

from decimal import Decimal

import pytest

from finclaw_cli.batch.queue import LEASE_S, MOST_DEATHS, BatchQueue, Claim
from finclaw_cli.batch.rounds_port import Ended, Question, Rounds
from tests.batch.queues import OK, Clock, MakeQueue, ask_in_round, new_items, new_round, one, states

LATE = Ended(key="key", answer='{"late":1}')


@pytest.fixture
async def claim(queue: BatchQueue) -> Claim:
    """An item whose question is in a round."""
    await queue.submit("b", new_items(2), Decimal(1))
    claim = await one(queue)
    await ask_in_round(queue, "first", "key")
    return claim


@pytest.fixture
def rounds(queue: BatchQueue, claim: Claim) -> Rounds:
    del claim
    return queue.rounds


async def known(rounds: Rounds) -> Question:
    return await rounds.ask("b", 1, "key")


async def test_a_question_in_a_round_is_known_to_every_worker(rounds: Rounds, make_queue: MakeQueue) -> None:
    found = await make_queue().rounds.ask("b", 1, "key")
    assert found.round is not None
    assert (found.round.id, found.round.remote, found.round.requests) == ("first", None, 1)


async def test_an_answer_is_kept_until_its_item_has_ended(rounds: Rounds, queue: BatchQueue, claim: Claim) -> None:
    await rounds.end_questions("first", [Ended(key="key", answer="{}")])
    assert (await known(rounds)).answer == "{}"
    await queue.finish(claim, OK)
    assert await known(rounds) == Question()


async def test_a_question_that_expired_is_in_no_round_and_is_counted(rounds: Rounds) -> None:
    await rounds.end_questions("first", [Ended(key="key", is_expired=True)])
    assert await known(rounds) == Question(expired=1)
    assert await rounds.expired("b", 1) == 1


async def test_a_doubled_result_changes_nothing(rounds: Rounds) -> None:
    await rounds.end_questions("first", [Ended(key="key", answer="{}")])
    await rounds.end_questions("first", [LATE])
    assert (await known(rounds)).answer == "{}"


async def test_a_late_result_of_an_earlier_round_changes_nothing(rounds: Rounds, queue: BatchQueue) -> None:
    await rounds.end_questions("first", [Ended(key="key", is_expired=True)])
    await ask_in_round(queue, "second", "key")
    await rounds.end_questions("first", [LATE])
    found = await known(rounds)
    assert found.answer is None
    assert found.round is not None
    assert found.round.id == "second"


async def test_the_end_of_a_round_names_the_questions_without_a_result(rounds: Rounds) -> None:
    assert list(await rounds.end("first")) == ["key"]
    assert await known(rounds) == Question()
    assert not await rounds.under_way("b")


async def test_a_round_that_was_not_made_leaves_its_questions_free(rounds: Rounds) -> None:
    await rounds.drop("first")
    assert await known(rounds) == Question()
    assert not await rounds.under_way("b")


async def test_the_batch_of_a_round_is_known_once_it_was_sent(rounds: Rounds) -> None:
    await rounds.sent("first", "batch_1")
    assert [each.remote for each in await rounds.under_way("b")] == ["batch_1"]
    assert await rounds.made() == {"batch_1"}


async def test_a_batch_that_is_removed_takes_its_rounds_with_it(
    rounds: Rounds, queue: BatchQueue, claim: Claim
) -> None:
    await queue.release(claim)
    await queue.remove(["b"])
    assert await known(rounds) == Question()
    assert not await rounds.under_way("b")


async def test_rounds_of_other_batches_are_left_alone(rounds: Rounds, queue: BatchQueue) -> None:
    await queue.submit("c", new_items(1), None)
    await rounds.ask("c", 1, "other")
    await rounds.begin(new_round("third", "other", batch="c"))
    await queue.cancel("c")
    assert [each.id for each in await rounds.under_way("b")] == ["first"]
    assert (await states(queue, "b"))["running"] == 1


async def test_a_process_that_dies_while_its_items_wait_is_no_death_of_theirs(
    queue: BatchQueue, make_queue: MakeQueue, clock: Clock
) -> None:
    await queue.submit("b", new_items(1), None)
    for number in range(MOST_DEATHS + 1):
        dying = make_queue(machine=f"machine {number}")
        claim = await one(dying)
        await dying.begin(claim, "s", "run_1")
        await dying.rounds.ask("b", 1, "key")
        clock.now_ms += int(LEASE_S * 1000) + 1
    assert (await one(queue)).line == 1


async def test_an_item_whose_answer_ends_its_process_is_failed(
    queue: BatchQueue, make_queue: MakeQueue, clock: Clock
) -> None:
    await queue.submit("b", new_items(1), None)
    for number in range(MOST_DEATHS):
        dying = make_queue(machine=f"machine {number}")
        await dying.begin(await one(dying), "s", "run_1")
        await ask_in_round(dying, f"r{number}", "key")
        await dying.rounds.end_questions(f"r{number}", [Ended(key="key", is_expired=True)])
        clock.now_ms += int(LEASE_S * 1000) + 1
    assert not await queue.claim("b", 1)
    assert await states(queue) == {"failed": 1}
