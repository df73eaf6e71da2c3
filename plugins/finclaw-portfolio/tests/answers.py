"""An answer of a tool, as JSON, with a way to its parts."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from finclaw_cli.sdk import ToolResult


@dataclass(frozen=True)
class Answer:
    failed: bool
    text: str
    json: Any

    @classmethod
    def of(cls, result: ToolResult) -> Answer:
        found = None if result.is_error else json.loads(result.content)
        return cls(failed=result.is_error, text=result.content, json=found)

    @property
    def data(self) -> Any:
        assert not self.failed, self.text
        return self.json["data"]

    @property
    def warnings(self) -> str:
        return " | ".join(self.json.get("warnings", []))

    @property
    def code(self) -> str:
        assert self.failed, self.text
        return self.text.split(":", 1)[0]
