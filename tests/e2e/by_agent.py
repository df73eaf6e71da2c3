"""`finclaw run -o ndjson` made by an `Agent` in the process of the tests; its options are the agent's arguments."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

import typer

from finclaw_cli.core.errors import FinclawError
from tests.e2e.harness import PATIENCE_S, Finclaw, Ran
from tests.e2e.in_process import surroundings

_THE_COMMANDS = frozenset({"--approval", "--last-message", "--encoding", "--input-format", "text", "--no-save"})
"""What an agent has not."""


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
        if arguments[:3] == ("run", "-o", "ndjson") and not stdin and _THE_COMMANDS.isdisjoint(arguments):
            # What is wrong before a run begins, an agent raises; the command has a result for it.
            with contextlib.suppress(FinclawError), surroundings(self.env(env), self.cwd):
                code, stdout = _run(_given(arguments[1:]), timeout)
                return Ran(code, stdout.encode("ascii"), "")
        return super().__call__(*arguments, stdin=stdin, env=env, timeout=timeout)


def by_agent(command: Finclaw) -> ByAgent:
    """The same command, with an agent in the place of its runs."""
    return ByAgent(**{each.name: getattr(command, each.name) for each in fields(Finclaw)})


@cache
def _command() -> Any:
    from finclaw_cli.cli.run.command import app

    return typer.main.get_command(app)


def _given(arguments: tuple[str, ...]) -> Any:
    """What the command line would run."""
    with patch("finclaw_cli.cli.run.launch.launch") as launch:
        _command().main([*arguments], standalone_mode=False)
    return launch.call_args.args[0]


def _run(given: Any, timeout_s: float) -> tuple[int, str]:
    """Ask an agent; the exit code and the lines that the command would print."""
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
    playing = _play(agent, prompt, given.files, given.flags.get("events") or "agent")
    return asyncio.run(asyncio.wait_for(playing, timeout_s))


async def _play(agent: Any, prompt: str | None, files: tuple[Path, ...], events: str) -> tuple[int, str]:
    from finclaw_cli.core.events.lines import event_line, payload_json

    code, lines = 1, list[str]()
    async with agent:
        async for emitted in agent.emitted(prompt, files=files):
            event = emitted.event
            if events == "all" or event.type.startswith("agent."):
                lines.append(event_line(emitted, len(lines), payload_json(event)))
            code = getattr(event, "exit_code", 1)
    return code, "".join(lines)
