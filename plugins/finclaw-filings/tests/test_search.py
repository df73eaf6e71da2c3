from __future__ import annotations

from itertools import pairwise

import pytest
from filing_tools import Run, Tools, Write
from hypothesis import given, settings
from hypothesis import strategies as st
from made_filings import annual_report, submission

from finclaw_filings.html_text import text_of_html, tidy
from finclaw_filings.passages import passages_of, search_terms
from finclaw_filings.sections import sections_of

K = "0001234567-23-000001"
KOREAN = "당사의 매출액은 반도체 수요 증가로 늘어났습니다. 東京工場の売上高は減少した。"


@pytest.fixture
def filed(tools: Tools, run: Run, file: Write) -> Tools:
    run("import", file(submission(annual_report()), f"{K}.txt"))
    other = submission(f"<p>{KOREAN}</p>", "20-F", "20240301", "20231231", 9, cik=7654321)
    run("import", file(other, "korean.txt"))
    return tools


def found(tools: Tools, query: str, **more: object) -> list[dict[str, object]]:
    return tools("search_filings", query=query, **more)["data"]["passages"]


def test_a_passage_is_the_text_at_its_offsets(filed: Tools) -> None:
    passages = found(filed, "coyote", limit=30) + found(filed, "매출", limit=30)
    assert passages
    for passage in passages:
        start, end = passage["start"], passage["end"]
        page = filed("read_filing", accession=passage["accession"], offset=start, limit=end - start)
        assert page["data"]["text"] == passage["text"]


def test_a_passage_names_its_section_and_filing(filed: Tools) -> None:
    passage = found(filed, '"single plant"', limit=1)[0]
    assert (passage["accession"], passage["form"], passage["filed"]) == (K, "10-K", "2023-02-10")
    assert passage["section"] in {"risk_factors", "mda"}


@pytest.mark.parametrize("query", ["매출", "반도체 수요", "売上", "東京", "매출액은"])
def test_korean_and_japanese_are_found_by_any_part_of_a_word(filed: Tools, query: str) -> None:
    assert KOREAN in str(found(filed, query)[0]["text"])


def test_english_forms_of_a_word_count_as_one(filed: Tools) -> None:
    assert found(filed, "depending deliver")


def test_where_no_passage_has_all_words_it_is_said(filed: Tools) -> None:
    assert filed("search_filings", query="anvils zeppelin")["warnings"][0].startswith("no passage has all of the words")


def test_only_the_company_and_the_time_asked_for(filed: Tools) -> None:
    assert {passage["accession"] for passage in found(filed, "coyote 매출", limit=30)} == {K, "0001234567-24-000009"}
    assert filed.error("search_filings", query="매출", identifier="1234567").startswith(
        "NO_DATA: no passage of the 1 filings"
    )
    assert filed.error("search_filings", query="매출", as_of="2024-02-29").startswith(
        "NO_DATA: no passage of the 1 filings"
    )


@settings(max_examples=50)
@given(
    query=st.text(max_size=40)
    | st.lists(st.sampled_from(['"', "AND", "NEAR(", "*", "-x", "^", "content:", "(", ")"])).map(" ".join)
)
def test_no_query_is_a_syntax_error(query: str) -> None:
    import sqlite3

    db = sqlite3.connect(":memory:")
    db.execute("CREATE VIRTUAL TABLE words USING fts5(content)")
    for term in search_terms(query):
        assert db.execute("SELECT count(*) FROM words WHERE words MATCH ?", (term,)).fetchone() == (0,)
    db.close()


@pytest.mark.parametrize("query", ["", "  ", "***", '""', "x" * 501])
def test_a_query_without_words_is_refused(filed: Tools, query: str) -> None:
    assert filed.error("search_filings", query=query).startswith("BAD_INPUT: ")


def test_a_replaced_text_leaves_nothing_in_the_index(filed: Tools, run: Run, file: Write) -> None:
    assert found(filed, "anvils")
    code, out, _ = run("import", file(submission("<p>We make rockets now.</p>"), f"{K}.txt"))
    assert (code, ": replaced: " in out) == (0, True)
    assert filed.error("search_filings", query="anvils").startswith("NO_DATA: ")
    assert found(filed, "rockets")
    assert "index" not in run("check")[1]


@settings(max_examples=50)
@given(text=st.text(max_size=3000), form=st.sampled_from(["10-K", "10-Q", "20-F", "8-K"]))
def test_passages_cover_every_visible_character_once(text: str, form: str) -> None:
    clean = tidy(text)
    spans = [(passage.start, passage.stop) for passage in passages_of(clean, sections_of(clean, form))]
    covered = "".join(clean[start:stop] for start, stop in spans)
    assert covered.replace(" ", "").replace("\n", "") == clean.replace(" ", "").replace("\n", "")
    assert all(earlier[1] <= later[0] for earlier, later in pairwise(spans))


@settings(max_examples=50)
@given(markup=st.text(alphabet=st.sampled_from("<>/abdivtr=\"' !-&#;x0é한\u200b\x00\x01\n"), max_size=300))
def test_any_markup_becomes_tidy_text_that_stays_as_it_is(markup: str) -> None:
    text = text_of_html(markup)
    assert tidy(text) == text
    assert "\x00" not in text
