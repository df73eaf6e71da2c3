"""Cancellation of one question of a conversation, or of the whole conversation."""

from __future__ import annotations

from dataclasses import replace

from finclaw_cli.engine.cancel import Cancellation, CancelScope

# Codes of cancellations that end one question alone.
OF_ONE_QUESTION = frozenset({"interrupted", "timeout"})


class TurnScope(CancelScope):
    """The scope of one question after another."""

    @property
    def ended_by(self) -> Cancellation | None:
        """The cancellation of the conversation; None while it continues."""
        reason = self._reason
        return None if reason is None or reason.code in OF_ONE_QUESTION else reason

    def cancel(self, reason: Cancellation) -> None:
        """Cancel this question; a Ctrl-C does not count as a signal that ends the process."""
        super().cancel(replace(reason, message="interrupted") if reason.code == "interrupted" else reason)
