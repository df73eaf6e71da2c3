"""Sessions become documents, through the real command."""

from __future__ import annotations

import json

import pytest

from finclaw_cli.core.messages import Message, TextBlock, ToolResultBlock, ToolUseBlock
from finclaw_cli.transcript.messages import message_data
from tests.e2e.harness import Finclaw
from tests.e2e.test_session_commands import append, as_json, damage, recorded, written

pytestmark = pytest.mark.by_agent


class TestExport:
    def test_markdown_holds_the_question_the_facts_the_calls_and_the_answer(self, own: Finclaw):
        recorded(own)
        ran = own("sessions", "export", "talk")
        assert (ran.code, ran.stderr) == (0, "")
        assert ran.text.startswith("# What is ACME worth?\n\n- Session: `talk`\n- Began: `20")
        for shown in (
            "> What is ACME worth?",
            "**Call** `price`",
            '```json\n{\n  "symbol": "ACME"\n}\n```',
            "\nResult:",
        ):
            assert shown in ran.text
        assert ran.text.endswith("\nIt is **12.34**. 한국어 🎉\n")

    def test_json_holds_the_runs_and_the_messages_that_show_shows(self, own: Finclaw):
        recorded(own)
        recorded(own, question="And now?")
        found = as_json(own("sessions", "export", "talk", "--format", "json"))
        assert list(found) == ["session", "began", "finclaw_version", "runs", "messages", "damage"]
        assert found["messages"] == json.loads(own("sessions", "show", "--json", "talk").stdout)
        (first, second) = found["runs"]  # type: ignore[misc]
        assert list(first) == ["run_id", "status", "exit_code", "models", "usage", "cost_usd", "began", "question"]
        assert (first["status"], first["exit_code"], second["status"]) == ("completed", 0, "completed")
        assert first["models"] == [f"scripted:{own.cwd / 'script.json'}"]
        assert found == as_json(own("sessions", "export", "talk", "--json"))

    def test_money_is_text_and_counts_are_numbers(self, own: Finclaw):
        path = written(own, Message("user", "x"))
        result = {"status": "completed", "exit_code": 0, "usage": {"input": 7, "x": "y"}, "cost_usd": "0.10"}
        append(path, ("agent.result", result))
        (run,) = as_json(own("sessions", "export", "talk", "--json"))["runs"]  # type: ignore[misc]
        assert (run["usage"], run["cost_usd"]) == ({"input": 7}, "0.10")

    def test_html_is_one_page_without_scripts_that_forbids_itself_everything(self, own: Finclaw):
        recorded(own, question="<script>alert(1)</script>")
        page = own("sessions", "export", "talk", "--format", "html").text
        assert page.startswith("<!doctype html>\n")
        assert "default-src 'none'; style-src 'unsafe-inline'" in page
        assert "prefers-color-scheme: dark" in page
        assert "<strong>12.34</strong>" in page
        assert "<summary>Call <code>price</code></summary>" in page
        for never in ("<script", "<link", "src=", "url(", "@import", "lang="):
            assert never not in page

    @pytest.mark.parametrize("form", ["md", "html", "json"])
    def test_nothing_that_moves_a_terminal_and_no_lone_surrogate_leaves_it(self, own: Finclaw, form: str):
        evil = "a\x1b]0;x\x07\x9b2J\u202e\x7f\ud800 &#8238; ```\n"
        written(
            own,
            Message("user", evil),
            Message("assistant", (TextBlock(evil), ToolUseBlock("a", evil, {"x": "\u202e\x9b2J"}))),
            Message("tool", (ToolResultBlock("a", evil),)),
        )
        ran = own("sessions", "export", "talk", "--format", form)
        assert ran.code == 0, ran.stderr
        assert not set(ran.text) & set("\x1b\x07\x9b\x7f\u202e\ud800")

    @pytest.mark.parametrize("form", ["md", "html", "json"])
    def test_a_damaged_session_is_exported_as_far_as_it_can_be_read_with_exit_code_10(self, own: Finclaw, form: str):
        damage(recorded(own))
        ran = own("sessions", "export", "talk", "--format", form)
        assert ran.code == 10
        assert "12.34" in ran.text
        assert "LOOK" not in ran.text
        assert "amage" in ran.text
        assert "damaged at byte" in ran.stderr
        assert "its checksum does not fit" in ran.stderr

    def test_a_record_that_is_no_message_is_left_out_and_told(self, own: Finclaw):
        path = written(own, Message("user", "One?"))
        append(path, ("message", {"role": "nobody"}), ("message", "[" * 100_000), ("agent.result", "NaN"))
        ran = own("sessions", "export", "--json", "talk")
        assert ran.code == 10
        found = as_json(ran)
        assert [each["kind"] for each in found["damage"]] == ["no_message", "no_message"]  # type: ignore[attr-defined]
        assert len(found["messages"]) == 1  # type: ignore[arg-type]

    def test_of_many_damaged_places_the_first_are_named_and_the_others_counted(self, own: Finclaw):
        path = written(own, Message("user", "One?"))
        append(path, *[("message", "NaN")] * 16)
        ran = own("sessions", "export", "talk")
        assert ran.code == 10
        assert ran.stderr.count("is no message") == 10
        assert "… and 6 more places" in ran.stderr

    def test_a_file_elsewhere_is_exported(self, own: Finclaw):
        path = recorded(own)
        copy = path.rename(own.cwd / "other.jsonl")
        assert "- Session: `other`" in own("sessions", "export", str(copy)).text


class TestExportToAFile:
    @pytest.mark.parametrize("form", ["md", "html", "json"])
    def test_the_file_holds_what_stdout_would_and_is_its_owners_alone(self, own: Finclaw, form: str):
        recorded(own)
        target = own.cwd / "out"
        ran = own("sessions", "export", "talk", "--format", form, "-O", "out")
        assert (ran.code, ran.stdout) == (0, b"")
        assert "exported to out" in ran.stderr
        assert target.read_bytes() == own("sessions", "export", "talk", "--format", form).stdout
        assert target.stat().st_mode & 0o777 == 0o600
        assert not list(own.cwd.glob(".finclaw-*"))

    def test_a_file_that_is_there_is_replaced_only_with_force(self, own: Finclaw):
        recorded(own)
        target = own.cwd / "out"
        target.write_text("mine")
        ran = own("sessions", "export", "talk", "--output", "out")
        assert (ran.code, target.read_text()) == (2, "mine")
        assert ran.stderr == "finclaw: out is there already\nName another file, or add --force to replace it.\n"
        assert own("sessions", "export", "talk", "--output", "out", "--force").code == 0
        assert target.read_text().startswith("# What is ACME worth?")

    @pytest.mark.parametrize("place", ["/dev/null", ".", "link"])
    def test_what_is_no_file_is_never_replaced(self, own: Finclaw, place: str):
        recorded(own)
        (own.cwd / "kept").write_text("mine")
        (own.cwd / "link").symlink_to("kept")
        ran = own("sessions", "export", "talk", "-O", place, "--force")
        assert (ran.code, "is no regular file" in ran.stderr) == (2, True)
        assert (own.cwd / "kept").read_text() == "mine"

    def test_the_session_itself_is_never_replaced(self, own: Finclaw):
        path = recorded(own)
        before = path.read_bytes()
        ran = own("sessions", "export", "talk", "-O", str(path), "--force")
        assert (ran.code, "is the session itself" in ran.stderr) == (2, True)
        assert path.read_bytes() == before

    def test_a_folder_that_is_not_there_is_one_clear_error(self, own: Finclaw):
        recorded(own)
        ran = own("sessions", "export", "talk", "-O", "nowhere/out")
        assert (ran.code, ran.stdout) == (1, b"")
        assert ran.stderr.startswith("finclaw: nowhere/out cannot be written: No such file or directory\n")

    @pytest.mark.parametrize("options", [("--format", "pdf"), ("--format", "md", "--json")])
    def test_a_form_that_is_none_is_a_usage_error(self, own: Finclaw, options: tuple[str, ...]):
        recorded(own)
        assert own("sessions", "export", "talk", *options).code == 2


APPROVED = {
    "turn": 1,
    "call_id": "c",
    "name": "pay",
    "id": "apr_1",
    "decision": "allow",
    "by": "--approve pay",
    "reason": "",
}
REFUSED = {**APPROVED, "decision": "deny", "by": "a rule", "reason": "nothing\x1b[2J `to` <b>ask</b>\nin this run"}


def with_approvals(own: Finclaw, *answers: dict[str, object]) -> None:
    path = written(own, Message("user", "Pay."), Message("assistant", (ToolUseBlock("c", "pay", {"amount": "1"}),)))
    result = message_data(Message("tool", (ToolResultBlock("c", "paid"),)))
    append(path, *(("agent.approval", answer) for answer in answers), ("message", result))


@pytest.mark.parametrize(
    ("by", "shown"),
    [
        ("--approve pay", "given by --approve pay"),
        ("terminal", "given on the terminal"),
        ("stdio", "given over stdio"),
        ("a rule", "given by a rule"),
    ],
)
def test_who_gave_an_approval_is_shown(own: Finclaw, by: str, shown: str):
    with_approvals(own, {**APPROVED, "by": by})
    ran = own("sessions", "show", "talk")
    assert (ran.code, ran.stderr) == (0, "")
    assert ran.text.splitlines()[-3:] == ['→ pay {"amount":"1"}', f"  approval of pay: {shown}", "  paid"]
    assert f"\nApproval: `{shown}`\n" in own("sessions", "export", "talk").text
    assert f'<p class="label">Approval: {shown}</p>' in own("sessions", "export", "talk", "--format", "html").text


def test_why_no_approval_was_given_is_shown_without_what_moves_a_terminal(own: Finclaw):
    with_approvals(own, REFUSED, APPROVED)
    shown = own("sessions", "show", "talk").text
    assert "approval of pay: not given: nothing" in shown
    assert "approval of pay: given by --approve pay" in shown
    page = own("sessions", "export", "talk", "--format", "html").text
    assert "&lt;b&gt;ask&lt;/b&gt;" in page
    for text in (shown, page, own("sessions", "export", "talk").text):
        assert "\x1b" not in text
    assert own("sessions", "export", "talk", "--json").code == 0
