"""The log of a run that is not kept."""

from __future__ import annotations

from finclaw_cli.core.events.budget import Purpose, SidePurpose
from finclaw_cli.core.messages import Message
from finclaw_cli.core.ports import ModelRequest, SideReply, ToolChange


class NullConversationLog:
    """Keeps nothing."""

    async def add_message(self, message: Message) -> None:
        """Nothing is kept."""

    async def add_request(
        self, request: ModelRequest, *, provider: str, turn: int, attempt: int, purpose: Purpose = "turn"
    ) -> None:
        """Nothing is kept."""

    async def add_tools(self, change: ToolChange, turn: int) -> None:
        """Nothing is kept."""

    async def add_reply(self, reply: SideReply, purpose: SidePurpose) -> None:
        """Nothing is kept."""

    async def compacted(self, messages: tuple[Message, ...]) -> None:
        """Nothing is kept."""


NULL_CONVERSATION_LOG = NullConversationLog()
