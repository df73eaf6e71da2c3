"""One order from its request to its report: the runs of a session in which something goes wrong."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from tests.faults.broker import Broker, Manner
from tests.faults.points import Fault
from tests.faults.trials import Bench, Ended, script

NEEDS_HUMAN = 8
SESSION = ("-o", "ndjson", "--session", "orders")


@dataclass(frozen=True)
class Trial:
    """One order: at which tool and broker, what goes wrong, and how the session goes on afterwards."""

    flags: tuple[bool, bool, bool]
    """`idempotent`, `reconcile`, `requires_approval`."""
    manner: Manner
    faults: tuple[Fault | None, ...]
    """What goes wrong in the first runs, one after another."""
    follow: Literal["resume", "question"]
    is_approved_again: bool

    @property
    def tool(self) -> str:
        flags = zip(("idempotent", "reconcile", "approval"), self.flags, strict=True)
        return "_".join(["order", *(name for name, is_set in flags if is_set)])

    def fault(self, run: int) -> Fault | None:
        return self.faults[run] if run < len(self.faults) else None


@dataclass(frozen=True)
class Course:
    """The runs of one trial."""

    bench: Bench
    broker: Broker
    trial: Trial

    def begin(self, *options: str, **env: str) -> Ended:
        """Ask for the order, which is approved in advance."""
        self.broker.begin(self.trial.manner, deduplicates=self.trial.flags[0])
        return self._run("--approve", self.trial.tool, *options, "Order.", fault=self.trial.fault(0), env=env)

    def resume(self, *options: str) -> Ended:
        return self._run("--resume", *options)

    def ask(self, question: str = "And now?") -> Ended:
        return self._asked(question)

    def go_on(self, run: int) -> Ended:
        """Go on with the session, or begin again where nothing of it was kept."""
        fault = self.trial.fault(run)
        if not self.bench.recorded("message"):
            return self._run("--approve", self.trial.tool, "Order.", fault=fault)
        approval = ("--approve", self.trial.tool) if self.trial.is_approved_again else ()
        if self.trial.follow == "resume":
            return self._run(*approval, "--resume", fault=fault)
        return self._asked("And now?", fault=fault)

    def ends(self) -> list[Ended]:
        """Run until there is an answer, then ask one more question."""
        ends = [self.begin()]
        while ends[-1].code not in {0, NEEDS_HUMAN} and b"nothing_to_resume" not in ends[-1].stdout:
            assert len(ends) < 5, (self.trial, ends[-1])
            ends.append(self.go_on(len(ends)))
        self.broker.wait()
        return [*ends, self._asked("And afterwards?")]

    def _asked(self, question: str, fault: Fault | None = None) -> Ended:
        """Ask something that needs no tool."""
        return self._played({"text": "So it is."}, arguments=(question,), fault=fault)

    def _run(self, *arguments: str, fault: Fault | None = None, env: Mapping[str, str] | None = None) -> Ended:
        order = {"name": self.trial.tool, "input": {"symbol": "ACME"}}
        turns = ({"text": "", "tool_calls": [order]}, {"text": "It is done."})
        return self._played(*turns, arguments=arguments, fault=fault, env=env)

    def _played(
        self,
        *turns: dict[str, Any],
        arguments: tuple[str, ...],
        fault: Fault | None,
        env: Mapping[str, str] | None = None,
    ) -> Ended:
        model = script(self.bench.home, *turns)
        environment = {"BROKER_URL": self.broker.url, **(env or {})}
        return self.bench.run("run", *SESSION, "-m", model, *arguments, fault=fault, env=environment)
