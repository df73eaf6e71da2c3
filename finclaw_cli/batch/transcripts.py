"""Where the sessions of items are: files of this machine, and what keeps them beyond it."""

from __future__ import annotations

from typing import Protocol

from finclaw_cli.batch.queue import Claim
from finclaw_cli.settings.paths import sessions_folder
from finclaw_cli.transcript.session import Copied
from finclaw_cli.transcript.store import SessionStore


class Transcripts(Protocol):
    """The sessions of items."""

    @property
    def store(self) -> SessionStore:
        """Where their files are."""
        ...

    async def restore(self, claim: Claim, name: str) -> None:
        """Make the file of a session that no process has open what is known of it.

        Raises:
            FinclawError: that is not possible.
        """
        ...

    def copied(self, claim: Claim, name: str) -> Copied | None:
        """Keeps what an item adds to its session beyond this machine; None where the file is enough."""
        ...

    def drop(self, name: str) -> None:
        """The item that used a session has ended here."""
        ...


class LocalTranscripts:
    """Sessions in the data folder, like any other."""

    @property
    def store(self) -> SessionStore:
        return SessionStore(sessions_folder())

    async def restore(self, claim: Claim, name: str) -> None:
        """Nothing is known that is not in the file."""

    def copied(self, claim: Claim, name: str) -> Copied | None:  # noqa: ARG002 - it is the same for all
        return None

    def drop(self, name: str) -> None:
        """The file stays."""
