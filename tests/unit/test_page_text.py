"""The text of web pages, also of those that are made to keep a parser busy."""

from __future__ import annotations

import pytest

from finclaw_cli.tools.html import page_text

MANY = 100_000
HOSTILE = {
    "elements in elements": "<div>" * MANY,
    "ends of other elements": "<div></b>" * (MANY // 2),
    "fonts that are opened again": "".join(f"<font a={number}><p>" for number in range(MANY // 5)),
    "links around blocks": "<a><div>" * (MANY // 2),
    "a tag without an end of its attributes": "<div " + "x " * MANY + ">",
    "breaks without an end": "<br " * MANY + ">",
    "a long page": "<p>word</p>" * MANY,
}


@pytest.mark.parametrize("page", HOSTILE.values(), ids=list(HOSTILE))
def test_a_page_that_would_keep_a_parser_busy_gives_its_text(page: str) -> None:
    assert page_text(f"<html><body>{page}the end").endswith("the end")


@pytest.mark.parametrize("filler", ["", "<div>" * 400], ids=["parsed", "not parsed"])
def test_scripts_styles_comments_and_tags_are_left_out(filler: str) -> None:
    page = "<html><style>p { }</style><p class='a'>One &amp; <b>two</b></p><!-- no --><script>no()</script>three"
    assert page_text(filler + page).split() == ["One", "&", "two", "three"]


@pytest.mark.parametrize("filler", ["", "<div>" * 400], ids=["parsed", "not parsed"])
def test_a_script_without_an_end_is_left_out(filler: str) -> None:
    assert page_text(f"{filler}<p>One</p><script>no()").strip() == "One"


def test_a_sign_of_a_tag_in_an_attribute_is_no_end_of_its_tag() -> None:
    assert page_text('<html><body><p title="a > b">the text</p>') == "the text"
