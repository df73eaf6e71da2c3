"""External tools that keep failing are left alone, then tried by one call."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from finclaw_cli.core.errors import ToolError
from finclaw_cli.core.events.agent import Event
from finclaw_cli.core.events.internal import ToolCircuitChange
from finclaw_cli.tools.circuit_breaker import CircuitBreaker, CircuitSettings
from finclaw_cli.tools.circuits import CircuitOpen, Circuits
from tests.unit.clocks import FakeClock
from tests.unit.test_pipeline import Bench, bench


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def breaker(clock: FakeClock) -> CircuitBreaker:
    return CircuitBreaker(CircuitSettings(failures=5, open_s=30), clock.monotonic)


def fail(breaker: CircuitBreaker, times: int) -> None:
    for _ in range(times):
        assert breaker.wait_s() == 0
        breaker.failed()


def test_it_opens_after_five_failures_in_a_row(breaker: CircuitBreaker):
    fail(breaker, 4)
    assert breaker.state == "closed"
    fail(breaker, 1)
    assert (breaker.state, breaker.wait_s()) == ("open", 30)


def test_a_success_in_between_starts_the_count_again(breaker: CircuitBreaker):
    fail(breaker, 4)
    breaker.succeeded()
    fail(breaker, 4)
    assert breaker.state == "closed"


def test_half_open_lets_exactly_one_of_fifty_through(breaker: CircuitBreaker, clock: FakeClock):
    fail(breaker, 5)
    clock.seconds = 30
    assert [breaker.wait_s() == 0 for _ in range(50)].count(True) == 1


def test_the_probes_success_closes_it(breaker: CircuitBreaker, clock: FakeClock):
    fail(breaker, 5)
    clock.seconds = 30
    assert breaker.wait_s() == 0
    breaker.succeeded()
    assert (breaker.state, breaker.wait_s()) == ("closed", 0)


def test_the_probes_failure_opens_it_for_as_long_again(breaker: CircuitBreaker, clock: FakeClock):
    fail(breaker, 5)
    clock.seconds = 31
    fail(breaker, 1)
    assert (breaker.state, breaker.wait_s()) == ("open", 30)


def test_a_probe_that_was_cancelled_leaves_room_for_another(breaker: CircuitBreaker, clock: FakeClock):
    fail(breaker, 5)
    clock.seconds = 30
    assert breaker.wait_s() == 0
    breaker.abandoned()
    assert [breaker.wait_s() == 0 for _ in range(50)].count(True) == 1


def changes(events: list[Event]) -> list[tuple[str, str]]:
    return [(e.state_from, e.state_to) for e in events if isinstance(e, ToolCircuitChange)]


class Service:
    """An external tool that does as it is told, and counts how often it was called."""

    def __init__(self) -> None:
        self.calls = 0
        self.error: Exception | None = RuntimeError("down")

    async def __call__(self, given: object, context: object) -> object:
        self.calls += 1
        await asyncio.sleep(0)
        if self.error is not None:
            raise self.error
        return "up"


def external(service: Service, **circuit: float) -> Bench:
    it = bench(service, external=True)
    settings = CircuitSettings(failures=int(circuit.get("failures", 5)), open_s=circuit.get("open_s", 30))
    it.settings = replace(it.settings, circuits={"t": settings}, parallel=100)
    return it


async def test_fifty_parallel_calls_make_one_probe(clock: FakeClock) -> None:
    events: list[Event] = []
    tool = external(Service()).tool
    done = asyncio.Event()

    async def emit(event: Event) -> None:
        events.append(event)

    async def call(*, fails: bool) -> bool:
        """Whether the call was let through; it takes until all the others have been made."""
        try:
            async with circuits.attempt(tool) as attempt:
                await done.wait()
                attempt.service_failed = fails
        except CircuitOpen:
            return False
        return True

    circuits = Circuits({"t": CircuitSettings(failures=1, open_s=30)}, emit, clock.monotonic)
    done.set()
    assert await call(fails=True)
    done.clear()
    clock.seconds += 30
    probes = [asyncio.create_task(call(fails=False)) for _ in range(50)]
    await asyncio.wait(probes, return_when=asyncio.FIRST_COMPLETED)
    done.set()
    assert [await probe for probe in probes].count(True) == 1
    assert changes(events) == [("closed", "open"), ("open", "half-open"), ("half-open", "closed")]


async def run(toolbox: object, it: Bench, times: int) -> list[str]:
    from finclaw_cli.core.messages import ToolCall

    calls = tuple(ToolCall(f"c{n}", "t", {"n": n}) for n in range(times))
    batch = toolbox.batch(calls, 1, 1000)  # type: ignore[attr-defined]
    await batch.run()
    return [result.content for result in batch.results()]


async def test_an_open_circuit_says_when_to_come_back() -> None:
    it = external(Service(), failures=2)
    toolbox = it.toolbox()
    await run(toolbox, it, 2)
    (answer,) = await run(toolbox, it, 1)
    assert answer == 'Tool "t" is unavailable (circuit open, retry in 30 s)'


async def test_what_the_model_did_wrong_is_no_failure_of_the_service() -> None:
    service = Service()
    service.error = ToolError("BAD_INPUT: no such symbol")
    it = external(service, failures=2)
    await run(it.toolbox(), it, 20)
    assert service.calls == 20


async def test_an_outage_that_the_tool_reports_is_one() -> None:
    service = Service()
    service.error = ToolError("the exchange does not answer", outage=True)
    it = external(service, failures=2)
    toolbox = it.toolbox()
    await run(toolbox, it, 2)
    await run(toolbox, it, 5)
    assert service.calls == 2


async def test_a_tool_that_is_not_external_has_no_circuit() -> None:
    service = Service()
    it = bench(service)
    it.settings = replace(it.settings, circuits={"t": CircuitSettings(failures=1)})
    await run(it.toolbox(), it, 10)
    assert service.calls == 10


async def test_a_call_that_is_cancelled_is_no_answer_of_the_service(clock: FakeClock) -> None:
    async def discard(event: Event) -> None:
        pass

    tool = external(Service()).tool
    circuits = Circuits({"t": CircuitSettings(failures=2, open_s=30)}, discard, clock.monotonic)
    for service_failed in (True, None):
        async with circuits.attempt(tool) as attempt:
            attempt.service_failed = service_failed
    async with circuits.attempt(tool) as attempt:  # still closed
        attempt.service_failed = True
    with pytest.raises(CircuitOpen):
        async with circuits.attempt(tool):
            pass
