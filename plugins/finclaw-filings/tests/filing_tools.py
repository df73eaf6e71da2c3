"""The plugin's tools and commands as tests call them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from made_facts import companyfacts

from finclaw_cli.testing.tools import run_tool
from finclaw_filings import plugin

Run = Callable[..., tuple[int, str, str]]
Write = Callable[..., Path]


class Tools:
    """The plugin's tools by name, called as a run would call them."""

    def __init__(self, run: Run, file: Callable[..., Path]) -> None:
        self.tools = {tool.name: tool.load() for tool in plugin.finclaw_tools()}
        self.context: dict[str, Any] = {}
        self._run, self._file = run, file

    def load(self, *facts: tuple[object, ...], name: str = "Acme Corp", cik: int = 1234567) -> None:
        """Import a companyfacts file with these facts; see `made_facts.companyfacts`."""
        path = self._file(companyfacts(*facts, name=name, cik=cik), f"CIK{cik:010d}.json")
        code, _, err = self._run("import", path)
        assert (code, err) == (0, "")

    def __call__(self, name: str, /, **arguments: object) -> dict[str, Any]:
        answer = run_tool(self.tools[name], arguments, **self.context)  # type: ignore[arg-type]
        assert not answer.is_error, answer.content
        return json.loads(answer.content)

    def error(self, name: str, /, **arguments: object) -> str:
        answer = run_tool(self.tools[name], arguments, **self.context)  # type: ignore[arg-type]
        assert answer.is_error, answer.content
        return answer.content

    def values(self, concept: str, **arguments: object) -> list[dict[str, Any]]:
        answer = self("financials", identifier="1234567", concepts=[concept], **arguments)
        return answer["data"][concept]

    def warnings(self, concept: str, **arguments: object) -> str:
        answer = self("financials", identifier="1234567", concepts=[concept], **arguments)
        return "\n".join(answer.get("warnings", []))
