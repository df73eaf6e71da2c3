"""Sessions, costs, tools and settings on the page; and whether it can be used by all."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.browser.conftest import Served, serving
from tests.e2e.harness import Finclaw

playwright = pytest.importorskip("playwright.sync_api")
expect: Callable[[Any], Any] = playwright.expect
AXE = os.environ.get("FINCLAW_AXE")
"""The file of axe-core."""
VIEWS = ("ask", "sessions", "session/first", "markets", "cost", "tools", "settings")


@pytest.fixture
def used(served: Served) -> Served:
    """A server with two sessions."""
    for name, text in (("first", "ACME closed at 126.89."), ("second", "환율이 상승했습니다.")):
        model = served.finclaw.script({"text": text, "usage": {"input": 5, "output": 3}}, name=f"{name}.json")
        assert served.finclaw("run", "-m", model, "--session", name, f"question {name}").code == 0
    return served


def test_sessions_are_searched_in_english_and_korean(used: Served) -> None:
    page = used.open()
    page.get_by_role("link", name="Sessions").click()
    expect(page.locator(".sessions li")).to_have_count(2)
    for query, found in (("126.89", "question first"), ("환율", "question second")):
        page.get_by_label("Search").first.fill(query)
        page.keyboard.press("Enter")
        expect(page.locator(".sessions li")).to_have_count(1)
        expect(page.locator(".sessions a")).to_have_text(found)


def test_a_recorded_session_is_shown_with_its_timeline(used: Served) -> None:
    page = used.open()
    page.get_by_role("link", name="Sessions").click()
    page.get_by_role("link", name="question first").click()
    expect(page.get_by_text("ACME closed at 126.89.")).to_be_visible()
    page.get_by_text("Timeline").click()
    expect(page.get_by_role("table", name="Timeline").get_by_text("Total")).to_be_visible()


def test_a_session_goes_on_where_it_was(used: Served) -> None:
    page = used.open()
    page.get_by_role("link", name="Sessions").click()
    page.get_by_role("link", name="question first").click()
    run = used.ask(page, "and now", {"text": "So it goes on."}, name="second.json")
    expect(run.get_by_text("So it goes on.")).to_be_visible()
    shown = used.finclaw("sessions", "show", "first").text
    assert all(text in shown for text in ("question first", "and now", "So it goes on."))


def test_costs_are_drawn_and_listed(used: Served) -> None:
    page = used.open()
    page.get_by_role("link", name="Cost").click()
    expect(page.get_by_role("table", name="Cost by model").locator("tbody tr")).to_have_count(2)


def test_tools_and_settings_are_listed(used: Served) -> None:
    page = used.open()
    page.get_by_role("link", name="Tools").click()
    expect(page.get_by_role("cell", name="pay", exact=True)).to_be_visible()
    page.get_by_role("link", name="Settings").click()
    expect(page.get_by_role("cell", name="max_turns", exact=True)).to_be_visible()


def test_prices_are_drawn_without_a_model(chromium: Any, own: Finclaw) -> None:
    with serving(own, chromium, "finclaw-demo,finclaw-market") as served:
        page = served.open()
        page.get_by_role("link", name="Portfolio").click()
        page.get_by_label("Symbol").fill("ACME")
        page.get_by_role("region", name="Prices").get_by_role("button", name="Show").click()
        expect(page.get_by_role("img", name="get_price_history")).to_be_visible()


def test_a_portfolio_is_valued_from_a_file(chromium: Any, own: Finclaw, tmp_path: Path) -> None:
    held = tmp_path / "holdings.csv"
    held.write_text("symbol,quantity\nACME,10\nGLOBEX,5\n")
    with serving(own, chromium, "finclaw-demo,finclaw-market,finclaw-portfolio") as served:
        page = served.open()
        page.get_by_role("link", name="Portfolio").click()
        page.get_by_label("Positions (CSV)").set_input_files(held)
        page.get_by_role("region", name="Value").get_by_role("button", name="Show").click()
        expect(page.get_by_role("img", name="portfolio: positions")).to_be_visible()
        expect(page.get_by_role("table", name="portfolio: positions").last).to_contain_text("GLOBEX")


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_view_has_no_serious_finding_of_axe(used: Served, view: str, scheme: str) -> None:
    if AXE is None:
        pytest.skip("FINCLAW_AXE names no file of axe-core")
    page = used.open(bypass_csp=True, color_scheme=scheme)
    expect(page.get_by_label("Question")).to_be_visible()
    page.evaluate(f"location.hash = '#/{view}'")
    expect(page.locator("h1")).to_be_visible()
    page.wait_for_load_state("networkidle")
    page.evaluate(Path(AXE).read_text(encoding="utf-8"))
    found = page.evaluate("axe.run()")["violations"]
    assert [(one["id"], [node["html"] for node in one["nodes"]]) for one in found] == []


@pytest.mark.parametrize("view", VIEWS)
def test_a_narrow_screen_needs_no_scrolling_aside(used: Served, view: str) -> None:
    page = used.open(viewport={"width": 320, "height": 640})
    expect(page.get_by_label("Question")).to_be_visible()
    page.evaluate(f"location.hash = '#/{view}'")
    expect(page.locator("h1")).to_be_visible()
    page.wait_for_load_state("networkidle")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
