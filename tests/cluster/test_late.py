"""A worker that was taken for dead records the end of a call: the item stays unknown, and what became of it is shown."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from finclaw_cli.batch.queue import Outcome
from finclaw_cli.cluster.address import DatabaseAddress
from finclaw_cli.cluster.database import PostgresDatabase
from finclaw_cli.cluster.late import late_outcomes
from finclaw_cli.cluster.queue import PostgresQueue
from finclaw_cli.cluster.transcripts import ClusterTranscripts
from finclaw_cli.core.errors import OutputFailed
from finclaw_cli.transcript.writer import TranscriptWriter
from tests.batch.queues import new_items, one

AT = datetime(2026, 1, 2, tzinfo=UTC)


async def test_a_late_outcome_is_refused_and_shown(address: DatabaseAddress, tmp_path: Path) -> None:
    stopped, other = PostgresQueue(address), PostgresQueue(address)
    transcripts = ClusterTranscripts(PostgresDatabase(address), stopped.member.id, tmp_path / "sessions")
    await stopped.submit("b", new_items(1), None)
    claim = await one(stopped)
    await transcripts.restore(claim, "s")
    keep = transcripts.copied(claim, "s")
    assert keep is not None
    writer = TranscriptWriter.create(transcripts.store.path("s"))
    writer.append("tool_intent", AT, "run_1", {"call_id": "c"})
    await keep()
    kept = await transcripts.content("b", "s")
    await stopped.aclose()
    taken = await one(other)
    writer.append("tool_outcome", AT, "run_1", {"call_id": "c", "content": "paid 7", "is_error": False})
    with pytest.raises(OutputFailed, match="another worker"):
        await keep()
    assert not await late_outcomes(other, "b")
    await other.finish(taken, Outcome(state="unknown", exit_code=8))
    assert [str(each) for each in await late_outcomes(other, "b")] == [
        f"n1: {stopped.member.id} recorded later that the call ended: paid 7"
    ]
    assert await transcripts.content("b", "s") == kept
    writer.close()
    await other.aclose()
    await transcripts.aclose()
