"""The names of the calls of a conversation: those that are sent in another form, and tools that are not installed.

Neither is a damage: the calls stay as they were made, and each dialect sends a form of the name that is not refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from finclaw_cli.core.messages import Message
from finclaw_cli.transcript.repair import UNKNOWN_TOOL, Repair


def checked_names(
    messages: Sequence[Message],
    records: Mapping[str, int],
    *,
    is_installed: Callable[[str], bool],
    sent_as: Callable[[str], str],
) -> Iterator[Repair]:
    """What is to be reported of the names of calls, in their order.

    Args:
        messages: the conversation.
        records: the number of the record of each call, by the call's id.
        is_installed: whether there is a tool of that name.
        sent_as: the form of a name that every provider accepts.
    """
    for message in messages:
        for call in message.tool_calls:
            where, record = f"{call.name} ({call.id})", records.get(call.id)
            if (sent := sent_as(call.name)) != call.name:
                yield Repair("refused_name", f"{where}: sent as {sent} where it is refused", record)
            elif call.name != UNKNOWN_TOOL and not is_installed(call.name):
                yield Repair("uninstalled_tool", f"{where}: stays in the conversation under its name", record)
