"""Runs on the page: streamed, followed after a break, approved, refused, cancelled, seen from two tabs."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.browser.conftest import Served

playwright = pytest.importorskip("playwright.sync_api")
expect: Callable[[Any], Any] = playwright.expect
PAY = {"tool_calls": [{"name": "pay", "input": {"to": "Bob", "amount": "12.50"}}]}
MANY_WORDS = " ".join(f"word{number}" for number in range(4_000))


def test_an_answer_is_shown_as_markdown(served: Served) -> None:
    run = served.ask(
        served.open(), "q", {"text": "A **bold** word.\n\n| a | b |\n|---|--:|\n| c | d |\n\n- one\n- two\n"}
    )
    expect(run.get_by_text("completed")).to_be_visible()
    expect(run.locator("strong")).to_have_text("bold")
    expect(run.locator("td.number")).to_have_text("d")
    expect(run.locator("li")).to_have_text(["one", "two"])


def test_text_is_shown_while_it_streams(served: Served) -> None:
    run = served.ask(served.open(), "q", {"text": "First words. " + "x" * 400, "delta_chars": 8, "delay_s": 0.2})
    expect(run.get_by_text("First words.")).to_be_visible()
    expect(run.get_by_text("Running")).to_be_visible()


def test_the_token_leaves_the_address(served: Served) -> None:
    page = served.open()
    expect(page.get_by_label("Question")).to_be_visible()
    assert page.url.endswith("#/ask")
    page.reload()
    page.get_by_label("Address or token").fill(served.address)
    page.get_by_role("button", name="Open").click()
    expect(page.get_by_label("Question")).to_be_visible()


def test_a_broken_connection_goes_on_without_gap_or_double(served: Served) -> None:
    page = served.open()
    cuts = iter(range(5, 200, 20))

    def cut_off(socket: Any) -> None:
        left = [next(cuts, 10**9)]
        server = socket.connect_to_server()

        def passed(line: str | bytes) -> None:
            left[0] -= 1
            if left[0] == 0:
                socket.close(code=4000)
                server.close()
            elif left[0] > 0:
                socket.send(line)

        server.on_message(passed)

    page.route_web_socket("**/events*", cut_off)
    run = served.ask(page, "q", {"text": MANY_WORDS, "delta_chars": 40})
    expect(run.get_by_text("completed")).to_be_visible()
    assert run.locator(".answer").inner_text().strip() == MANY_WORDS


def test_an_approved_call_runs(served: Served) -> None:
    run = served.ask(served.open(), "q", PAY, {"text": "Paid."})
    form = run.get_by_role("region", name="Approval needed: pay")
    expect(form.get_by_text("12.50")).to_be_visible()
    form.get_by_role("button", name="Allow").click()
    expect(form.get_by_role("status")).to_contain_text("decided: Allow (serve:")
    expect(run.get_by_text("completed", exact=False).last).to_be_visible()
    assert (served.finclaw.home / "paid").exists()


def test_a_denied_call_does_not_run(served: Served) -> None:
    run = served.ask(served.open(), "q", PAY, {"text": "Not paid."})
    run.get_by_label("Reason").fill("too much")
    run.get_by_role("button", name="Deny").click()
    expect(run.get_by_text("too much").first).to_be_visible()
    expect(run.get_by_text("Not paid.")).to_be_visible()
    assert not (served.finclaw.home / "paid").exists()


def test_a_run_is_cancelled(served: Served) -> None:
    run = served.ask(served.open(), "q", {"text": "x" * 4_000, "delta_chars": 4, "delay_s": 0.05})
    run.get_by_role("button", name="Cancel").click()
    expect(run.get_by_text("aborted")).to_be_visible()


def test_two_tabs_see_the_same_run_and_its_decision(served: Served) -> None:
    first, second = served.open(), served.open()
    run = served.ask(first, "q", PAY, {"text": "Done."})
    expect(run.get_by_role("button", name="Allow")).to_be_enabled()
    second.get_by_role("link", name="Sessions").click()
    second.get_by_role("link", name="q").click()
    other = second.get_by_role("region", name="Approval needed: pay")
    other.get_by_role("button", name="Deny").click()
    expect(run.get_by_role("region", name="Approval needed: pay").get_by_role("status")).to_contain_text("Deny (serve:")
    expect(run.get_by_role("button", name="Allow")).to_be_disabled()
    expect(second.get_by_text("Done.")).to_be_visible()


def test_a_figure_leads_to_the_result_that_it_comes_from(served: Served) -> None:
    call = {"tool_calls": [{"name": "price", "input": {"symbol": "ACME"}}]}
    page = served.open()
    run = served.ask(page, "q", call, {"text": "ACME costs 42.10 and 987.65."})
    expect(run.locator("mark.figure")).to_contain_text("987.65")
    run.get_by_role("button", name="42.10").click()
    expect(run.locator("details.call")).to_have_attribute("open", "")


def test_an_answer_of_20_000_deltas_is_shown_whole(served: Served) -> None:
    text = "\n\n".join(" ".join(f"w{block}-{word}" for word in range(10)) for block in range(1_400))
    run = served.ask(served.open(), "q", {"text": text, "delta_chars": 5})
    expect(run.get_by_text("completed")).to_be_visible()
    expect(run.locator(".answer p")).to_have_count(1_400)
    assert len(text) // 5 > 20_000


def test_a_question_is_sent_from_the_keyboard(served: Served) -> None:
    page = served.open()
    page.get_by_label("Model").fill(served.finclaw.script({"text": "Hello."}))
    page.get_by_label("Question").focus()
    page.keyboard.type("hi")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text("Hello.")).to_be_visible()


def test_the_page_works_in_korean(served: Served) -> None:
    page = served.open(locale="ko-KR")
    page.get_by_role("link", name="비용").click()
    expect(page.get_by_role("heading", name="비용").first).to_be_visible()
    assert page.evaluate("document.documentElement.lang") == "ko"


@pytest.mark.parametrize("hostile", ["<script>window.pwned = 1</script>", "<img src=x onerror='window.pwned = 1'>",
                                     "[a](javascript:window.pwned=1)", "<svg/onload=window.pwned=1>", "\u202e\x1b]0;x\x07"])  # fmt: skip
def test_hostile_text_runs_no_script(served: Served, hostile: str) -> None:
    page = served.open()
    call = {"tool_calls": [{"name": "price", "input": {"symbol": hostile}}]}
    run = served.ask(page, hostile, call, {"text": f"Before.\n\n{hostile}\n\nAfter."})
    expect(run.get_by_text("After.")).to_be_visible()
    run.locator("details.call summary").click()
    for link in run.locator(".answer a").all():
        assert json.dumps(link.get_attribute("href")).startswith('"http')
    assert page.evaluate("window.pwned") is None
    assert run.locator("script, img, iframe, .answer svg").count() == 0
