"""What is reported of the names of the calls of a conversation."""

from __future__ import annotations

from finclaw_cli.core.messages import Message, ToolUseBlock
from finclaw_cli.transcript.call_names import checked_names
from finclaw_cli.transcript.repair import Repair


def test_names_that_are_refused_and_tools_that_are_gone_are_reported_in_their_order() -> None:
    names = {"a": "gone", "b": "price", "c": "a b", "d": "unknown_tool"}
    calls = tuple(ToolUseBlock(call_id, name, {}) for call_id, name in names.items())
    found = checked_names(
        [Message("user", "What?"), Message("assistant", calls)],
        {"a": 3, "c": 4},
        is_installed={"price"}.__contains__,
        sent_as=lambda name: name.replace(" ", "_"),
    )
    assert list(found) == [
        Repair("uninstalled_tool", "gone (a): stays in the conversation under its name", 3),
        Repair("refused_name", "a b (c): sent as a_b where it is refused", 4),
    ]
