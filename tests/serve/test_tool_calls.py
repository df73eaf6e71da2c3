"""Calls of tools without a model: those that only read, and nothing else."""

from __future__ import annotations

from pathlib import Path

from tests.serve.clients import Served
from tests.serve.test_approvals import paid


async def test_a_tool_that_reads_is_called(with_tools: Served):
    answer = await with_tools.http.post("/v1/tools/price", json={"symbol": "ACME"})
    assert (answer.status_code, answer.json()["status"], answer.json()["is_error"]) == (200, "completed", False)
    assert '"close": "42.10"' in answer.json()["content"]


async def test_wrong_arguments_are_the_result_of_the_call(with_tools: Served):
    answer = await with_tools.http.post("/v1/tools/price", json={"ticker": "ACME"})
    assert (answer.status_code, answer.json()["is_error"]) == (200, True)


async def test_a_tool_that_moves_money_is_not_called(with_tools: Served, shared_home: Path):
    answer = await with_tools.http.post("/v1/tools/pay", json={"to": "Bo", "amount": "1"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (403, "not_read_only")
    assert paid(shared_home) == ""


async def test_an_unknown_tool_is_refused(with_tools: Served):
    assert (await with_tools.http.post("/v1/tools/prize", json={})).status_code in {400, 404}


async def test_more_texts_than_a_page_sends_are_refused(with_tools: Served):
    answer = await with_tools.http.post("/v1/markdown", json={"texts": ["x"] * 1_001})
    assert (answer.status_code, "1,000" in answer.json()["error"]["message"]) == (400, True)


async def test_markdown_is_rendered_without_its_html(with_tools: Served):
    given = {"texts": ["**bold** <script>x</script>", "|a|\n|--:|\n|1|"]}
    first, second = (await with_tools.http.post("/v1/markdown", json=given)).json()["html"]
    assert "<strong>bold</strong> &lt;script&gt;" in first
    assert ('<td class="right">1</td>' in second, "style=" in second) == (True, False)
