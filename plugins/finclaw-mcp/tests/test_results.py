"""What a server answers, as the result of a tool."""

from __future__ import annotations

import json
from typing import Any

import pytest

from finclaw_cli.sdk import ToolError
from finclaw_mcp.results import result_of


def text(of: str) -> dict[str, Any]:
    return {"type": "text", "text": of}


@pytest.mark.parametrize("structured", [{"result": "Hi"}, {"content": "Hi"}, {"a": 1, "b": [2]}])
def test_a_text_that_repeats_the_structured_result_is_given_once(structured: dict[str, Any]) -> None:
    repeated = "Hi" if "Hi" in structured.values() else json.dumps(structured, indent=2)
    assert result_of({"content": [text(repeated)], "structuredContent": structured}) == structured


def test_a_text_beside_the_structured_result_is_given_too() -> None:
    answer = {"content": [text("about it")], "structuredContent": {"a": 1}}
    assert result_of(answer) == {"result": {"a": 1}, "text": "about it"}


def test_content_that_is_no_text_is_named() -> None:
    image = {"type": "image", "mimeType": "image/png", "data": "A" * 4096}
    assert result_of({"content": [text("Here:"), image]}) == "Here:\n[image: image/png, 3 KiB, not shown]"


def test_a_failure_without_words_has_a_reason() -> None:
    with pytest.raises(ToolError, match="its server does not give a reason"):
        result_of({"content": [], "isError": True})
