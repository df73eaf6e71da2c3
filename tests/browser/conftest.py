"""A served page in a real Chromium."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.conftest import certificates, finclaw, kit, own, shared_home, trusted  # noqa: F401 - fixtures
from tests.e2e.harness import Finclaw

PATIENCE_MS = 60_000.0
SHOTS = os.environ.get("FINCLAW_SCREENSHOTS")
"""The folder of the screenshots; none are made without it."""


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    sync_api = pytest.importorskip("playwright.sync_api")
    path = shutil.which("chromium")
    if path is None:
        pytest.skip("Chromium is not installed")
    with sync_api.sync_playwright() as playwright:
        sync_api.expect.set_options(timeout=PATIENCE_MS)
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()


@dataclass
class Served:
    """A server, and the pages that are opened on it."""

    finclaw: Finclaw
    address: str
    browser: Any
    problems: list[str] = field(default_factory=list)
    """What the console of a page reported, and the scripts that failed."""
    contexts: list[Any] = field(default_factory=list)

    def open(self, **options: Any) -> Any:
        """A page in a browser of its own, with the token."""
        context = self.browser.new_context(**{"locale": "en-GB", **options})
        self.contexts.append(context)
        context.set_default_timeout(PATIENCE_MS)
        page = context.new_page()
        page.on("console", lambda line: line.type == "error" and self.problems.append(line.text))
        page.on("pageerror", lambda error: self.problems.append(str(error)))
        page.goto(self.address)
        return page

    def ask(self, page: Any, prompt: str, *turns: Any, name: str = "script.json") -> Any:
        """Ask on the page; the model answers with these turns. Return the run as it is shown."""
        page.get_by_role("textbox", name="Question").fill(prompt)
        page.get_by_label("Model").fill(self.finclaw.script(*turns, name=name))
        page.get_by_role("button", name="Ask", exact=True).click()
        run = page.get_by_role("article", name=prompt)
        run.wait_for()
        return run


@pytest.fixture
def served(own: Finclaw, chromium: Any) -> Iterator[Served]:  # noqa: F811 - the fixture
    with serving(own, chromium, "finclaw-kit") as given:
        yield given


@contextmanager
def serving(finclaw: Finclaw, browser: Any, plugins: str) -> Iterator[Served]:  # noqa: F811 - the command
    """A server with these plugins, until its pages are closed; it ends cleanly, and no page reported a problem."""
    process = finclaw.start("serve", "--port", "0", env={"FINCLAW_PLUGINS": plugins})
    assert process.stdout is not None
    given = Served(finclaw, process.stdout.readline().decode().strip(), browser)
    yield given
    for number, context in enumerate(given.contexts):
        for page in context.pages if SHOTS else ():
            name = os.environ["PYTEST_CURRENT_TEST"].partition("::")[2].split(" ")[0]
            page.screenshot(path=Path(SHOTS or "") / f"{name}-{number}.png", full_page=True)
        context.close()
    process.terminate()
    assert process.wait(20) == 0
    assert given.problems == []
