"""The session that a run goes on with: one that has something left to do, and the models of its last run."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

import pytest

from finclaw_cli.app.open_session import WantedSession, opened_session, with_recorded_models
from finclaw_cli.core.errors import UsageError
from finclaw_cli.core.json_text import JsonObject
from finclaw_cli.core.messages import Message, TextBlock
from finclaw_cli.settings.model import Settings
from finclaw_cli.settings.paths import sessions_folder
from finclaw_cli.transcript.history import History
from finclaw_cli.transcript.messages import message_data
from finclaw_cli.transcript.store import SessionStore
from finclaw_cli.transcript.writer import TranscriptWriter

AT = datetime(2026, 1, 2, tzinfo=UTC)
Records = Sequence[tuple[str, JsonObject]]
BEGUN = ("agent.start", {"models": ["acme:large", "acme:small"]})
ASKED = ("message", message_data(Message("user", "What?")))
REQUESTED = ("request", {})
ANSWERED = ("message", message_data(Message("assistant", (TextBlock("That."),))))
PAYING = ("tool_intent", {"key": "k", "call_id": "c", "name": "pay"})
COMPLETED = ("agent.result", {"status": "completed", "exit_code": 0})
FAILED = ("agent.result", {"status": "failed", "exit_code": 4})


def resumed(*records: tuple[str, JsonObject]) -> History | None:
    path = SessionStore(sessions_folder()).path("talk")
    path.parent.mkdir(parents=True)
    writer = TranscriptWriter.create(path)
    writer.append("session", AT, "run_1", {"format": 1})
    for kind, data in records:
        writer.append(kind, AT, "run_1", data)
    writer.close()
    session = opened_session(WantedSession(name="talk", latest=False, resume=True), save=True)
    assert session is not None
    history = session.history
    session.close()
    return history


@pytest.mark.parametrize(
    "records",
    [
        (BEGUN, ASKED),
        (BEGUN, ASKED, FAILED),
        (BEGUN, ASKED, ANSWERED),
        (BEGUN, ASKED, PAYING, ANSWERED, COMPLETED),
    ],
    ids=["cut off", "failed", "answered and cut off", "with an unknown outcome"],
)
def test_a_session_with_something_left_to_do_is_taken_up(records: Records) -> None:
    history = resumed(*records)
    assert history is not None
    assert history.messages[0] == Message("user", "What?")


@pytest.mark.parametrize(
    ("records", "why"),
    [((BEGUN,), "nothing was asked in talk yet"), ((BEGUN, ASKED, ANSWERED, COMPLETED), "has ended with an answer")],
)
def test_a_session_with_nothing_left_to_do_is_not_taken_up(records: Records, why: str) -> None:
    with pytest.raises(UsageError, match=why) as raised:
        resumed(*records)
    assert raised.value.code == "nothing_to_resume"


def test_the_models_of_the_run_that_is_taken_up_are_asked() -> None:
    history = resumed(BEGUN, ASKED, REQUESTED)
    settings = with_recorded_models(Settings(model="other:one", fallback=["other:two"]), (), history)
    assert (settings.model, list(settings.fallback)) == ("acme:large", ["acme:small"])


def test_models_that_were_chosen_for_this_run_are_asked() -> None:
    history = resumed(BEGUN, ASKED, REQUESTED)
    chosen = Settings(model="other:one", fallback=["other:two"])
    assert with_recorded_models(chosen, ("model",), history) == chosen
    assert list(with_recorded_models(chosen, ("fallback",), history).fallback) == ["other:two"]
