"""`finclaw run -o ndjson` made by an `Agent`: the options of the command line are its keyword arguments."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from tests.e2e.harness import PATIENCE_S, Finclaw, Ran
from tests.e2e.warm import run_warm


@dataclass(frozen=True)
class ByAgent(Finclaw):
    """The command, whose runs with NDJSON output are made by an agent."""

    def __call__(
        self,
        *arguments: str,
        stdin: bytes | None = b"",
        env: Mapping[str, str] | None = None,
        timeout: float = PATIENCE_S,
    ) -> Ran:
        is_run = arguments[:3] == ("run", "-o", "ndjson")
        code, stdout, stderr = run_warm(
            arguments,
            env=self.env(env),
            cwd=self.cwd,
            timeout_s=timeout,
            stdin=stdin,
            before=_run_by_agent if is_run else None,
        )
        return Ran(code, stdout, stderr.decode())


def _run_by_agent() -> None:
    import finclaw_cli.cli.run.launch as command

    command.launch = _launch


def _launch(given: Any) -> NoReturn:
    from finclaw_cli import Agent
    from finclaw_cli.settings.model import declarations

    known = declarations()
    options = {name: value for name, value in given.flags.items() if value is not None and not known[name].terminal}
    agent = Agent.from_settings(
        **options,
        session=given.session,
        continue_=given.go_on,
        resume=given.resume,
        schema=given.schema,
        no_plugins=not given.use_plugins,
    )
    prompt = None if given.resume else given.prompt
    sys.exit(asyncio.run(_play(agent, prompt, given.files, given.flags.get("events") or "agent")))


async def _play(agent: Any, prompt: str | None, files: tuple[Path, ...], events: str) -> int:
    from finclaw_cli.core.events.lines import event_line, payload_json

    code, seq = 1, 0
    async with agent:
        async for emitted in agent.emitted(prompt, files=files):
            event = emitted.event
            if events == "all" or event.type.startswith("agent."):
                sys.stdout.write(event_line(emitted, seq, payload_json(event)))
                seq += 1
            code = getattr(event, "exit_code", 1)
    return code
