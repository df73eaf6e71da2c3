"""What a number of runs a day takes of a cluster, what breaks first, and how long runs wait through a day.

`python capacity.py` is about ten million runs a day; other figures are given by name, such as
`python capacity.py runs_a_day=200_000 turns=2`. Where they come from is in docs/explanation/capacity.md.
"""

from __future__ import annotations

import math
import random
import sys
from dataclasses import dataclass, fields, replace

DAY_S, MINUTES = 86_400, 1_440
STEPS = (10_000, 100_000, 1_000_000, 10_000_000)
MEASURED = ((4, 2, 67), (4, 4, 30))
"""Processes of 64 runs each, the turns of a run, and how many runs a second their queue has let through."""


@dataclass(frozen=True, slots=True)
class Load:
    """The runs of a day, and what one of each thing that they run on can do."""

    runs_a_day: float = 10_000_000
    peak: float = 2
    """How many times the mean begin in the busiest minute."""
    turns: float = 4
    """Requests of a run to its model."""
    run_s: float = 30
    most_used: float = 0.8
    """The part of everything that may be in use in the busiest minute."""
    worker_ms: float = 20
    """CPU time of a worker for a turn."""
    worker_runs: float = 400
    """At a time: of `--concurrency 320`, and a quarter more."""
    statement_ms: float = 0.65
    """Of one under the lock of the queue, with the database on the same machine."""
    round_trip_ms: float = 0.2
    """What the network adds to it."""
    run_statements: float = 8
    turn_statements: float = 10.4
    batch_items: float = 100_000
    """Of each of the batches that are under way, one for each database, whose counts are looked at once a second."""
    count_ms: float = 0.0005
    """Of one item in such a look."""
    account_requests: float = 4_000
    """A minute, as the following two."""
    account_input: float = 2_000_000
    account_output: float = 400_000
    request_input: float = 1_500
    """Tokens of a request, without those that the provider has in its cache."""
    request_cached: float = 4_500
    request_output: float = 300
    input_usd: float = 3
    """Of a million tokens, as the following two."""
    cached_usd: float = 0.3
    output_usd: float = 15
    row_kb: float = 16
    """Of a run in the database."""
    log_kb: float = 28
    """Of a run in its write-ahead log."""
    days_kept: float = 2
    """Until a batch is fetched and removed."""

    @property
    def lock_ms(self) -> float:
        """How long a run has the lock of its queue, in all."""
        statements = self.run_statements + self.turn_statements * self.turns
        return statements * (self.statement_ms + self.round_trip_ms)

    @property
    def request_usd(self) -> float:
        """What a request costs."""
        read = self.request_input * self.input_usd + self.request_cached * self.cached_usd
        return (read + self.request_output * self.output_usd) / 1e6


def rates(load: Load) -> dict[str, dict[str, float]]:
    """How many runs a second one of each thing allows, by what limits it."""
    return {
        "account": {
            "requests a minute": load.account_requests / 60 / load.turns,
            "input tokens a minute": load.account_input / 60 / load.turns / load.request_input,
            "output tokens a minute": load.account_output / 60 / load.turns / load.request_output,
        },
        "database": {"lock of the queue": max(1.0, 1000 - load.batch_items * load.count_ms) / load.lock_ms},
        "worker": {
            "one processor": 1000 / load.worker_ms / load.turns,
            "runs at a time": load.worker_runs / load.run_s,
        },
    }


def needed(load: Load) -> dict[str, int]:
    """How many of each thing the busiest minute needs."""
    most = load.runs_a_day / DAY_S * load.peak / load.most_used
    return {thing: math.ceil(most / min(limits.values())) for thing, limits in rates(load).items()}


def waits(load: Load, have: dict[str, int], down: range) -> list[float]:
    """Minutes that a run waits which begins in each minute of a day; in those of `down`, half of the databases stop."""
    chance = random.Random(1)  # noqa: S311 - the same day each time
    waiting, found = 0.0, []
    for minute in range(MINUTES):
        mean = load.runs_a_day / MINUTES * (1 - (load.peak - 1) * math.cos(2 * math.pi * minute / MINUTES))
        begun = max(0.0, chance.gauss(mean, math.sqrt(max(mean, 0.0))))
        one = {thing: 60 * min(limits.values()) for thing, limits in rates(load).items()}
        databases = have["database"] - (math.ceil(have["database"] / 2) if minute in down else 0)
        allowed = min(one[thing] * number for thing, number in {**have, "database": databases}.items())
        waiting = max(0.0, waiting + begun - allowed)
        found.append(waiting / max(allowed, mean))
    return found


def runs_a_day(load: Load, a_second: float) -> float:
    """The runs of a day whose busiest minute has so many a second, with something to spare."""
    return a_second * load.most_used / load.peak * DAY_S


def report(load: Load) -> None:
    """Print what one of each thing allows, what more runs take, how long they wait, and the check of the model."""
    print("one           limited by              runs a second   runs a day")
    for thing, limits in rates(load).items():
        for name, allowed in limits.items():
            print(f"{thing:12}  {name:22}  {allowed:13.1f}  {runs_a_day(load, allowed):11,.0f}")
    print("\nruns a day  busiest second  accounts  databases  workers  GB stored  GB logged a day  model, USD a day")
    for runs in (*(step for step in STEPS if step < load.runs_a_day), load.runs_a_day):
        show_growth(replace(load, runs_a_day=runs))
    show_waits(load)
    print()
    for processes, turns, measured in MEASURED:
        alone = rates(replace(load, turns=turns, round_trip_ms=0, batch_items=0))["database"]["lock of the queue"]
        print(f"queue alone, {turns} turns, {processes} x 64 runs: {alone:.0f} a second; measured: {measured}")
    most = runs_a_day(load, rates(load)["database"]["lock of the queue"])
    print(f"one database carries {most:,.0f} runs a day, with any number of workers")


def show_growth(load: Load) -> None:
    """Print a line of what so many runs a day need."""
    have, stored = needed(load), load.runs_a_day * load.row_kb * load.days_kept / 1e6
    print(
        f"{load.runs_a_day:10,.0f}  {load.runs_a_day / DAY_S * load.peak:14.1f}  {have['account']:8}  "
        f"{have['database']:9}  {have['worker']:7}  {stored:9,.1f}  {load.runs_a_day * load.log_kb / 1e6:15,.1f}  "
        f"{load.runs_a_day * load.turns * load.request_usd:16,.0f}"
    )


def show_waits(load: Load) -> None:
    """Print how long a run waits at most, on days of three kinds."""
    have, never = needed(load), range(0)
    print(f"\nlongest wait with all of these: {max(waits(load, have, never)):,.0f} min")
    noon = range(MINUTES // 2, MINUTES // 2 + 5)
    print(f"with half of the databases down for five minutes at noon: {max(waits(load, have, noon)):,.0f} min")
    print(f"with one database: {max(waits(load, {**have, 'database': 1}, never)):,.0f} min")


def given(arguments: list[str]) -> Load:
    """The load that arguments name."""
    names, found = [field.name for field in fields(Load)], {}
    for argument in arguments:
        name, _, text = argument.partition("=")
        try:
            found[name] = float(text)
        except ValueError:
            found[name] = math.nan
        if name not in names or not 0 < found[name] < math.inf:
            sys.exit(f"{argument}: give NAME=NUMBER, with a number above 0; the names are: {', '.join(names)}")
    return Load(**found)


if __name__ == "__main__":
    report(given(sys.argv[1:]))
