"""finclaw as the agent of an editor in this process, and a plugin that pays."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from acp import PROTOCOL_VERSION, connect_to_agent, helpers, schema

from finclaw_acp.agent import EditorAgent
from finclaw_acp.messages import MAX_LINE_BYTES
from finclaw_acp.serving import serve_streams

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]
PLUGIN = """
import os
from pathlib import Path
from finclaw_cli.sdk import hookimpl, tool

def show(to: str, amount: str) -> str:
    return f"TICKET\\nto      {to}\\namount  {amount}"

@tool(group="finance", transactional=True, preview=show)
def pay(to: str, amount: str) -> str:
    "Pay a person."
    with (Path(os.environ["FINCLAW_HOME"]) / "paid").open("a") as file:
        file.write(f"{to} {amount}\\n")
    return "paid"

@tool(group="finance", requires_approval=True)
def note(text: str) -> str:
    "Note something."
    return f"noted: {text}"

@tool(group="system", requires_approval=True, preview=lambda path, old, new: "alters " + path)
def alter(path: str, old: str, new: str) -> str:
    "Replace a text."
    file = Path(os.environ["ACP_TEST_FOLDER"]) / path
    file.write_text(file.read_text().replace(old, new))
    return "altered"

@tool(group="system", requires_approval=True)
def save(path: str, content: str) -> str:
    "Save a file."
    return "saved"

@tool(group="finance", read_only=True)
def look(path: str = "") -> str:
    "Look something up."
    return "seen"

@hookimpl
def finclaw_tools():
    return [pay, note, alter, save, look]
"""
Answers = Callable[[schema.ToolCallUpdate, list[schema.PermissionOption]], schema.RequestPermissionResponse]


def chose(option: str) -> Answers:
    """Answers that always choose this."""
    outcome = schema.AllowedOutcome(outcome="selected", option_id=option)
    return lambda _call, _options: schema.RequestPermissionResponse(outcome=outcome)


def call(name: str, **given: Any) -> dict[str, Any]:
    return {"tool_calls": [{"name": name, "input": given}]}


PAY = call("pay", to="Bob", amount="5")


@pytest.fixture(scope="session")
def trusting(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A folder with the plugin, and a data folder in which it is trusted."""
    site, home = tmp_path_factory.mktemp("site"), tmp_path_factory.mktemp("home")
    (site / "payer.py").write_text(PLUGIN)
    info = site / "payer-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: payer\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[finclaw]\npayer = payer\n")
    (info / "RECORD").write_text("payer.py,,\npayer-1.0.dist-info/METADATA,,\npayer-1.0.dist-info/entry_points.txt,,\n")
    command = [sys.executable, "-m", "finclaw_cli", "plugins", "trust", "payer"]
    environment = {**os.environ, "FINCLAW_HOME": str(home), "PYTHONPATH": str(site)}
    subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)
    return site, home


class Editor:
    """An editor: what it is shown, and what its user answers."""

    def __init__(self, site: Path, home: Path, folder: Path) -> None:
        self.site = site
        self.home = home
        self.folder = folder
        self.updates: list[Any] = []
        self.asked: list[tuple[schema.ToolCallUpdate, list[str]]] = []
        self.answer: Answers | None = None
        self.asking = asyncio.Event()
        self.answering = asyncio.Event()
        self.agent: Any = None

    async def session_update(self, session_id: str, update: Any, **_: Any) -> None:
        self.updates.append(update)
        if update.session_update == "agent_message_chunk":
            self.answering.set()

    async def request_permission(
        self, session_id: str, tool_call: schema.ToolCallUpdate, options: list[schema.PermissionOption], **_: Any
    ) -> schema.RequestPermissionResponse:
        self.asked.append((tool_call, [option.option_id for option in options]))
        self.asking.set()
        if self.answer is None:
            await asyncio.Event().wait()
            raise AssertionError
        return self.answer(tool_call, options)

    def on_connect(self, conn: Any) -> None:
        self.agent = conn

    def script(self, *turns: dict[str, Any], name: str = "script.json") -> str:
        """A model that answers each question with these turns."""
        path = self.folder / name
        path.write_text(json.dumps({"turns": list(turns)}))
        return f"scripted:{path}"

    async def begin(self) -> str:
        """A new session."""
        return str((await self.agent.new_session(cwd=str(self.folder), mcp_servers=[])).session_id)

    async def prompt(self, session: str, text: str = "q") -> str:
        """Ask; the reason to stop."""
        found = await self.agent.prompt(session_id=session, prompt=[helpers.text_block(text)])
        return str(found.stop_reason)

    def verified(self, session: str) -> tuple[int, str]:
        """The exit code and the report of making the runs of a session again."""
        command = [sys.executable, "-m", "finclaw_cli", "replay", session, "--verify"]
        environment = {**os.environ, "PYTHONPATH": str(self.site)}
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout + done.stderr

    @property
    def text(self) -> str:
        """The words that it was shown."""
        return "".join(one.content.text for one in self.updates if one.session_update == "agent_message_chunk")

    @property
    def calls(self) -> list[Any]:
        """The steps of calls, in order."""
        return [one for one in self.updates if one.session_update in {"tool_call", "tool_call_update"}]

    @property
    def states(self) -> list[str]:
        """The states of calls, in order."""
        return [one.status for one in self.calls]

    @property
    def paid(self) -> list[str]:
        """The payments that were made."""
        return [line for path in self.home.rglob("paid") for line in path.read_text().splitlines()]


@pytest.fixture
def editor(trusting: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Editor:
    site, trusted = trusting
    home, folder = tmp_path / "home", tmp_path / "work"
    shutil.copytree(trusted, home)
    folder.mkdir()
    monkeypatch.setenv("FINCLAW_HOME", str(home))
    monkeypatch.setenv("ACP_TEST_FOLDER", str(folder))
    monkeypatch.syspath_prepend(str(site))
    return Editor(site, home, folder)


@asynccontextmanager
async def connected(*models: str, tools: list[str] | None = None) -> AsyncIterator[Streams]:
    """The streams of an editor, connected to an agent with these models."""
    ours, theirs = socket.socketpair()
    reader, writer = await asyncio.open_connection(sock=ours, limit=MAX_LINE_BYTES)
    agent = asyncio.create_task(serve_streams(EditorAgent(models, tools), reader, writer))
    streams = await asyncio.open_connection(sock=theirs)
    try:
        yield streams
    finally:
        for each in (streams[1], writer):
            each.close()
            with suppress(ConnectionError):
                await each.wait_closed()
        await agent


@asynccontextmanager
async def served(editor: Editor, *models: str, tools: list[str] | None = None) -> AsyncIterator[Editor]:
    """The editor, connected to an agent with these models."""
    async with connected(*models, tools=tools) as (reader, writer):
        connection = editor.agent = connect_to_agent(editor, writer, reader, use_unstable_protocol=True)  # type: ignore[arg-type]
        await connection.initialize(protocol_version=PROTOCOL_VERSION)
        try:
            yield editor
        finally:
            await connection.close()
