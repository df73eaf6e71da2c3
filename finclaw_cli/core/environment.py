"""The environment of runs: data folder, working directory, variables and secrets.

A process has one environment. A caller that starts runs in its own name inside of a process (`finclaw_cli.Agent`) makes
another one the current one; it holds for everything that is called, for tasks and for threads that are started by
`asyncio.to_thread` (see `contextvars`). Nothing below reads `os.environ` for keys, addresses or the data folder.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextvars import Context, ContextVar, copy_context
from pathlib import Path

from finclaw_cli.core.record import record
from finclaw_cli.core.secrets import PROCESS, KnownSecrets


@record(kw_only=True)
class Environment:
    """Where runs keep data, where they work, and what they may use."""

    variables: Mapping[str, str]
    """Keys and addresses of providers, `FINCLAW_HOME`."""
    secrets: KnownSecrets
    """What is masked in everything that these runs show or keep."""
    home: Path | None = None
    """The data folder, absolute; None: by `FINCLAW_HOME`, else the platform's state folder."""
    folder: Path | None = None
    """The working directory, absolute; None: that of the process."""
    owns_process: bool = False
    """Whether the process exists for these runs: its descriptors and logging may be changed for them."""

    @property
    def workspace(self) -> Path:
        """The working directory: project files are looked for from here on, and tools get it as their workspace."""
        return self.folder or Path.cwd()


OF_PROCESS = Environment(variables=os.environ, secrets=PROCESS, owns_process=True)
_current: ContextVar[Environment] = ContextVar("finclaw_environment", default=OF_PROCESS)


def environment() -> Environment:
    """The environment of the code that calls this."""
    return _current.get()


def context_within(given: Environment) -> Context:
    """A context for tasks and threads in which an environment is the current one."""
    context = copy_context()
    context.run(_current.set, given)
    return context
