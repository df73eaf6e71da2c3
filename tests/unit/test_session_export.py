"""A session as a document: whatever was said in it, it stays in its place, and nothing of it runs or is fetched."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from itertools import cycle, islice

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from finclaw_cli.core.clean import clean
from finclaw_cli.core.messages import Message, ReasoningBlock, TextBlock, ToolResultBlock, ToolUseBlock
from finclaw_cli.listings.sessions.content import SessionFacts
from finclaw_cli.listings.sessions.conversation import Call, Words, spoken
from finclaw_cli.listings.sessions.html import MOST_RENDERED_CHARS, html_pieces
from finclaw_cli.listings.sessions.json_form import json_pieces
from finclaw_cli.listings.sessions.markdown import code, fenced, markdown_pieces

FACTS = SessionFacts(session="talk", question="What?")
AFTER = Message("user", "AFTER")
# What ends blocks, begins them, is markup of either kind, or is nothing that can be shown.
PIECES = [
    "```", "~~~", "`", "<!--", "-->", "<script>", "</pre>", "</details>", "<img src=x onerror=y>", "&#8238;", "&#27;",
    "![a](http://x/y.png)", "[a](javascript:x)", "[a](https://x)", "<https://x>", "[b]: javascript:x\n", "[b]", "> ",
    "- ", "# ", "|a|b|\n|-|-|\n", "\n", "\n\n", "    ", "\t", "\x1b[2J", "\x9b2J", "\u202e", "\ud800", "\r", "\x85",
    "\u2028", "\x00", '"', "'", "<", "&", "\\", "한", "a",
]  # fmt: skip
nasty = st.lists(st.sampled_from(PIECES), max_size=12).map("".join) | st.text(
    st.characters(exclude_categories=()), max_size=30
)


def turn(text: str, *, name: str = "tool", argument: str = "", result: str = "") -> list[Message]:
    call = ToolUseBlock("a", name, {"x": argument})
    return [
        Message("user", text),
        Message("assistant", (TextBlock(text), call)),
        Message("tool", (ToolResultBlock("a", result),)),
        AFTER,
    ]


def markdown(messages: list[Message]) -> str:
    return "".join(markdown_pieces(FACTS, spoken(messages)))


def html(messages: list[Message]) -> str:
    return "".join(html_pieces(FACTS, spoken(messages)))


def blocks(text: str) -> Iterator[tuple[str, str]]:
    """The fences and headings that stand on their own, in CommonMark."""
    tokens = MarkdownIt("commonmark").parse(text)
    for place, token in enumerate(tokens):
        if token.level == 0 and token.type == "fence":
            yield "fence", token.content
        elif token.level == 0 and token.type == "heading_open":
            yield "heading", tokens[place + 1].content


class Page(HTMLParser):
    """Every tag and attribute of a page, and the text; each element must be closed where it began."""

    VOID = frozenset({"meta", "br", "hr"})
    TAGS = frozenset({
        "html", "head", "title", "style", "body", "h1", "h2", "h3", "h4", "h5", "h6", "dl", "dt", "dd", "p", "div",
        "details", "summary", "code", "pre", "ul", "ol", "li", "blockquote", "em", "strong", "s", "a", "table", "thead",
        "tbody", "tr", "th", "td",
    })  # fmt: skip

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.attributes: list[tuple[str, str, str]] = []
        self.words: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in self.TAGS | self.VOID
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in self.VOID
        assert attrs == []

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)


@given(nasty)
def test_a_fence_holds_any_text_as_it_is(text: str):
    text = clean(text)
    (token, *rest) = MarkdownIt("commonmark").parse(f"{fenced(text)}\n\nx")
    assert (token.type, token.content.rstrip("\n")) == ("fence", text.rstrip("\n"))
    assert [each.type for each in rest] == ["paragraph_open", "inline", "paragraph_close"]


@given(nasty)
def test_a_code_span_holds_any_line_as_it_is(text: str):
    line = " ".join(clean(text).split())
    (_, inline, _) = MarkdownIt("commonmark").parse(f"x {code(line)}")
    assert [child.type for child in inline.children or ()] == ["text", "code_inline"]
    assert (inline.children or [])[1].content.strip() == line


@given(nasty, nasty, nasty, nasty)
def test_whatever_is_said_the_next_question_is_a_question(text: str, name: str, argument: str, result: str):
    found = list(blocks(markdown(turn(text, name=name, argument=argument, result=result))))
    assert found[-1] == ("heading", "Question")
    *_, (_, arguments), (_, shown), _ = found
    assert arguments == json.dumps({"x": argument}, indent=2, ensure_ascii=False) + "\n" or clean(argument) != argument
    assert shown.rstrip("\n") == clean(result).rstrip("\n")


@pytest.mark.parametrize("begun", ["```", "~~~~\ncode", "<!-- so", "<pre>", "<script>", "- a\n\n  ```", "> ```"])
def test_what_an_answer_leaves_open_does_not_swallow_the_rest(begun: str):
    assert list(blocks(markdown(turn(begun, result="r"))))[-1] == ("heading", "Question")


def test_an_answer_that_ends_what_it_begins_is_written_as_it_is():
    answer = "# So\n\n```python\nx\n```\n\n| a |\n|---|\n\n<!-- no -->"
    assert f"\n{answer}\n" in markdown(turn(answer))


@given(nasty, nasty, nasty, nasty)
def test_no_text_becomes_markup_of_the_page_or_a_reference_to_anything(
    text: str, name: str, argument: str, result: str
):
    written = html(turn(text, name=name, argument=argument, result=result))
    assert clean(written) == written
    page = Page(written)
    for tag, attribute, value in page.attributes:
        assert attribute in {
            "content",
            "http-equiv",
            "name",
            "charset",
            "class",
            "dir",
            "href",
            "rel",
            "start",
            "style",
        }
        assert attribute != "href" or (tag == "a" and value.lower().startswith(("http://", "https://", "mailto:")))
        assert attribute != "style" or value.startswith("text-align:")


@pytest.mark.parametrize("scheme", ["javascript", "JAVASCRIPT", "data", "vbscript", "file", "&#106;avascript", "//x"])
def test_links_lead_to_the_web_or_nowhere(scheme: str):
    page = Page(html(turn(f"[a]({scheme}:alert(1)) [b](relative) [c](https://example.com)")))
    assert [value for _, name, value in page.attributes if name == "href"] == ["https://example.com"]


@pytest.mark.parametrize("hidden", ["&#8238;", "&lrm;", "&#xE000;", "&#12;", "```a&#8238;b\nx\n```"])
def test_what_is_hidden_behind_an_entity_is_shown_or_gone(hidden: str):
    written = html(turn(f"a {hidden} b\n\n{hidden}"))
    assert "<html" in written
    assert not set(written) & set("\u202e\u200e\ue000\x0c")


def test_an_answer_is_rendered_and_a_very_long_one_shown_as_it_is():
    assert "<strong>b</strong>" in html(turn("**b**"))
    assert "**b**" in html(turn("**b**" * MOST_RENDERED_CHARS))


def test_each_call_stands_beside_its_result_whatever_the_order():
    calls = Message("assistant", (ToolUseBlock("a", "one", {}), ToolUseBlock("b", "two", {}), ReasoningBlock("hm")))
    results = Message("tool", (ToolResultBlock("c", "3"), ToolResultBlock("b", "2"), ToolResultBlock("b", "4")))
    found = list(spoken([calls, results, AFTER]))
    pairs = [(item.name, item.result and item.result.content) for item in found if isinstance(item, Call)]
    lost = "(a call that was lost)"
    assert pairs == [("one", None), ("two", "2"), (lost, "3"), (lost, "4")]
    assert found[-1] == Words("user", "AFTER")


@given(nasty)
def test_json_is_one_strict_object_of_visible_ascii(text: str):
    written = "".join(json_pieces(FACTS, turn(text, argument=text, result=text)))
    assert all(" " <= char <= "~" or char == "\n" for char in written)
    assert json.loads(written)["messages"][0]["content"] == text.encode("utf-16-le", "surrogatepass").decode(
        "utf-16-le", "replace"
    )


@pytest.mark.parametrize("form", ["md", "html", "json"])
def test_a_session_without_an_end_is_written_as_it_is_read(form: str):
    endless = cycle(turn("Q", result="r"))
    pieces = {
        "md": lambda: markdown_pieces(FACTS, spoken(endless)),
        "html": lambda: html_pieces(FACTS, spoken(endless)),
        "json": lambda: json_pieces(FACTS, endless),
    }[form]()
    assert len(list(islice(pieces, 1_000))) == 1_000


def test_an_answer_that_can_leave_nothing_open_is_not_parsed():
    text = "## Prices\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n- P/E < 15, `code`\n\n> a quotation\n" * 20
    calls = 0

    def count(_frame: object, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event == "call"

    said = [Words(role="assistant", text=text) for _ in range(100)]
    sys.setprofile(count)
    try:
        pieces = list(markdown_pieces(SessionFacts(session="talk"), said))
    finally:
        sys.setprofile(None)
    assert pieces[-1].strip() == text.strip()
    assert calls < 20 * len(said)


def test_each_question_and_each_answer_has_a_heading():
    answer = Message("assistant", (TextBlock("Well."),))
    text = markdown(
        [Message("user", "One?"), answer, answer, Message("user", "Two?"), Message("user", "Three?"), answer]
    )
    headings = [line for line in text.splitlines() if line.startswith("## ")]
    user, assistant = headings[:2]
    assert user != assistant
    assert headings == [user, assistant, user, user, assistant]
