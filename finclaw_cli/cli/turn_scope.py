"""What can end one question of a conversation, and what ends the conversation with it."""

from __future__ import annotations

from dataclasses import replace

from finclaw_cli.engine.cancel import Cancellation, CancelScope

# Codes of what ends a question and nothing more.
OF_ONE_QUESTION = frozenset({"interrupted", "timeout"})


class TurnScope(CancelScope):
    """The scope of one question after another."""

    @property
    def ended_by(self) -> Cancellation | None:
        """What has ended the conversation; None while it goes on."""
        reason = self._reason
        return None if reason is None or reason.code in OF_ONE_QUESTION else reason

    @property
    def is_cancelled(self) -> bool:
        return self._reason is not None

    def cancel(self, reason: Cancellation) -> None:
        """End the work on this question; a Ctrl-C means no more than that, so it is no signal that ended anything."""
        super().cancel(replace(reason, message="interrupted") if reason.code == "interrupted" else reason)
