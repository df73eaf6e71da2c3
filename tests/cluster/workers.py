"""Worker processes for tests, each with a data folder of its own as on a machine of its own."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from asyncio.subprocess import PIPE, Process
from pathlib import Path
from typing import Any

SETTINGS = """
model = "openai-chat:m"
base_url = "{url}"
retry_base = 0.01
tools = ["pay"]
[plugins]
only = ["payer"]
[models."openai-chat:m"]
input_usd = 1
output_usd = 1
"""
PLAIN = """
model = "openai-chat:m"
base_url = "{url}"
tools = ["none"]
[plugins]
only = []
[models."openai-chat:m"]
input_usd = 1
output_usd = 1
"""
"""Without tools."""


class Machine:
    """A machine: its settings, its data folder, and the commands that run there."""

    def __init__(self, folder: Path, model_url: str, database_url: str, settings: str = SETTINGS) -> None:
        folder.mkdir(mode=0o700)
        (folder / "config.toml").write_text(settings.format(url=model_url))
        self.folder = folder
        self._variables = {
            "FINCLAW_HOME": str(folder), "FINCLAW_DATABASE_URL": database_url, "OPENAI_API_KEY": "k",
        }  # fmt: skip

    async def start(self, *arguments: str, **variables: str) -> Process:
        environment = {**os.environ, **self._variables, **variables}
        return await asyncio.create_subprocess_exec(
            sys.executable, "-m", "finclaw_cli", *arguments,
            cwd=self.folder, env=environment, stdin=PIPE, stdout=PIPE, stderr=PIPE,
        )  # fmt: skip

    async def run(self, *arguments: str, stdin: bytes = b"") -> tuple[int, str, str]:
        process = await self.start(*arguments)
        out, err = await process.communicate(stdin)
        assert process.returncode is not None
        return process.returncode, out.decode(), err.decode()


def lines(*prompts: str, **options: object) -> bytes:
    return b"".join(json.dumps({"id": each, "prompt": each, **options}).encode() + b"\n" for each in prompts)


def results(out: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.splitlines()]
