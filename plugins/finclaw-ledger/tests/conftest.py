from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import typer
from answers import Answer
from hypothesis import HealthCheck, settings
from typer.testing import CliRunner

from finclaw_cli.testing.tools import run_tool, the_tool
from finclaw_ledger import plugin

# No deadlines: how long an example takes says something of the machine, nothing of the code.
settings.register_profile("finclaw", deadline=None, max_examples=60, suppress_health_check=list(HealthCheck))
settings.load_profile("finclaw")

TOOLS = {definition.name: definition for definition in map(the_tool, plugin.finclaw_tools())}


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "home"
    monkeypatch.setenv("FINCLAW_HOME", str(folder))
    monkeypatch.setenv("COLUMNS", "400")
    return folder


@pytest.fixture
def ask() -> Callable[..., Answer]:
    """Call a tool as a model would: by name, with JSON."""

    def call(tool: str, context: dict[str, Any] | None = None, /, **given: Any) -> Answer:
        return Answer.of(run_tool(TOOLS[tool], given, **(context or {})))

    return call


@pytest.fixture
def file(tmp_path: Path) -> Callable[..., Path]:
    def write(text: str | bytes, name: str = "giro.csv", encoding: str = "utf-8") -> Path:
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode(encoding))
        return path

    return write


@pytest.fixture
def run() -> Callable[..., tuple[int, str, str]]:
    """`finclaw ledger …`: exit code, stdout, stderr."""
    app = typer.Typer()
    plugin.finclaw_commands(app)

    @app.command()
    def other() -> None: ...

    def invoke(*arguments: object) -> tuple[int, str, str]:
        result = CliRunner().invoke(app, ["ledger", *(str(argument) for argument in arguments)])
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result.exit_code, result.stdout, result.stderr

    return invoke


@pytest.fixture
def load(run: Callable[..., tuple[int, str, str]], file: Callable[..., Path]) -> Callable[..., str]:
    """Write a file, import it, and give what was said."""

    def bring_in(text: str | bytes, name: str, *options: str, encoding: str = "utf-8") -> str:
        code, out, err = run("import", file(text, name, encoding), "--write", *options)
        assert code == 0, err
        return out + err

    return bring_in
