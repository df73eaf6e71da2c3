from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path

import pytest
import typer
from data_service import KEY, Service, data_service
from hypothesis import HealthCheck, settings
from typer.testing import CliRunner

from finclaw_cli.sdk import Extension, ToolContext
from finclaw_market import plugin
from finclaw_market.importer import import_files
from finclaw_market.options import ImportOptions, ImportReport
from finclaw_market.packaged import forget

# No deadlines: how long an example takes says something of the machine, nothing of the code.
settings.register_profile("finclaw", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("finclaw")


@pytest.fixture(autouse=True)
def packages(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Extension]]:
    """The installed packages with prices: none, whatever this environment has, unless a test puts some in."""
    points: list[Extension] = []
    monkeypatch.setattr("finclaw_market.packaged.extensions", lambda group: points)
    forget()
    yield points
    forget()


@pytest.fixture(autouse=True)
def library(monkeypatch: pytest.MonkeyPatch) -> Callable[[str | None], None]:
    """The installed library of calendars: none, whatever this environment has, unless a test says so."""

    def installed(name: str | None) -> None:
        monkeypatch.setattr("finclaw_market.calendars.installed_library", lambda: name)
        monkeypatch.setattr("finclaw_market.openings.installed_library", lambda: name)

    installed(None)
    return installed


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "home"
    monkeypatch.setenv("FINCLAW_HOME", str(folder))
    return folder


@pytest.fixture
def context(home: Path) -> Callable[..., ToolContext]:
    def make(as_of: date | None = None) -> ToolContext:
        return ToolContext(
            agent_id="a",
            session_id="s",
            run_id="r",
            turn=1,
            call_id="c",
            idempotency_key="k",
            home=home,
            workspace=home,
            user="u",
            channel="pipe",
            as_of=as_of,
        )

    return make


@pytest.fixture
def file(tmp_path: Path) -> Callable[..., Path]:
    def write(text: str, name: str = "prices.csv", encoding: str = "utf-8") -> Path:
        path = tmp_path / name
        path.write_bytes(text.encode(encoding))
        return path

    return write


@pytest.fixture
def load(home: Path, file: Callable[..., Path]) -> Callable[..., ImportReport]:
    def run(text: str, *, name: str = "prices.csv", written: str = "utf-8", **options: object) -> ImportReport:
        options.setdefault("symbol", "ACME")
        return import_files([file(text, name, written)], home, ImportOptions(**options))  # type: ignore[arg-type]

    return run


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> Callable[[date], None]:
    def stand_at(day: date) -> None:
        for module in ("results", "fx", "macro"):
            monkeypatch.setattr(f"finclaw_market.{module}.today", lambda tz=None: day)

    return stand_at


@pytest.fixture
def run(home: Path) -> Callable[..., tuple[int, str, str]]:
    app = typer.Typer()
    plugin.finclaw_commands(app)

    @app.command()
    def other() -> None: ...

    def invoke(*arguments: object) -> tuple[int, str, str]:
        result = CliRunner().invoke(app, ["data", *(str(argument) for argument in arguments)])
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result.exit_code, result.stdout, result.stderr

    return invoke


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    """A server of this machine in the place of Yahoo and FRED."""
    with data_service() as running:
        monkeypatch.setenv("FINCLAW_YAHOO_URL", running.url)
        monkeypatch.setenv("FINCLAW_FRED_URL", running.url)
        monkeypatch.setenv("FRED_API_KEY", KEY)
        # Nothing may go through a proxy of the environment.
        monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
        monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:9")
        yield running
