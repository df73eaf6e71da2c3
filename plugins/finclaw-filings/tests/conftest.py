from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest
import typer
from filing_tools import Run, Tools
from hypothesis import HealthCheck, settings
from typer.testing import CliRunner

from finclaw_filings import plugin

# No deadlines: how long an example takes says something of the machine, nothing of the code.
settings.register_profile("finclaw", deadline=None, suppress_health_check=list(HealthCheck))
settings.load_profile("finclaw")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "home"
    monkeypatch.setenv("FINCLAW_HOME", str(folder))
    for name in (
        "EDGAR_IDENTITY",
        "EDGAR_LIVE",
        "EDGAR_DATA_URL",
        "EDGAR_BASE_URL",
        "OPENDART_API_KEY",
        "OPENDART_URL",
    ):
        monkeypatch.delenv(name, raising=False)
    return folder


@pytest.fixture
def run() -> Run:
    app = typer.Typer()
    plugin.finclaw_commands(app)

    @app.command()
    def other() -> None: ...

    def invoke(*arguments: object) -> tuple[int, str, str]:
        result = CliRunner().invoke(app, ["filings", *(str(argument) for argument in arguments)])
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result.exit_code, result.stdout, result.stderr

    return invoke


@pytest.fixture
def file(tmp_path: Path) -> Callable[..., Path]:
    def write(content: object, name: str) -> Path:
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        if isinstance(content, bytes):
            path.write_bytes(content)
        else:
            path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
        return path

    return write


@pytest.fixture
def tools(run: Run, file: Callable[..., Path]) -> Tools:
    return Tools(run, file)


@pytest.fixture
def at(monkeypatch: pytest.MonkeyPatch) -> Callable[[date], None]:
    def stand_at(day: date) -> None:
        monkeypatch.setattr("finclaw_filings.results.today", lambda: day)

    return stand_at
