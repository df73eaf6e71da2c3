"""Which session a run is kept in: a new one, a named one, or the last one; with a new question or its last one."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from finclaw_cli.core.errors import UsageError
from finclaw_cli.core.ids import new_run_id
from finclaw_cli.core.record import record
from finclaw_cli.settings.model import Settings
from finclaw_cli.settings.paths import sessions_folder
from finclaw_cli.transcript.history import History
from finclaw_cli.transcript.session import Session, latest, open_session
from finclaw_cli.transcript.store import SessionStore


@record(kw_only=True)
class WantedSession:
    """The session that a run belongs to."""

    name: str | None
    latest: bool
    resume: bool

    @property
    def is_earlier(self) -> bool:
        """Whether a session is meant that there is already."""
        return self.latest or self.resume


def opened_session(wanted: WantedSession, *, save: bool) -> Session | None:
    """The session, held against other writers; None where nothing is kept.

    Raises:
        UsageError: the options contradict each other, there is no such session, or nothing to be taken up in it.
        SessionBusy: another process writes it.
        OutputFailed: it cannot be read, mended or locked.
    """
    if not save:
        if wanted.name is not None or wanted.is_earlier:
            raise UsageError("a session goes on where it was kept", hint="Leave --no-save out.")
        return None
    if wanted.name is not None and wanted.latest:
        raise UsageError("--continue goes on with the last session, --session with the one it names", hint="Say one.")
    store = SessionStore(sessions_folder())
    if wanted.resume and wanted.name is not None and not store.path(wanted.name).exists():
        raise UsageError(
            f"there is no session {wanted.name} to take up",
            hint="`finclaw sessions list` shows which there are.",
            code="unknown_session",
        )
    session = open_session(store, _name(wanted, store), has_name=wanted.name is not None or wanted.is_earlier)
    try:
        if wanted.resume:
            _check_unfinished(session.name, session.history)
    except UsageError:
        session.close()
        raise
    return session


def with_recorded_models(settings: Settings, chosen: Collection[str], history: History | None) -> Settings:
    """The settings with the models of the resumed run and their address, unless others were chosen for this run.

    Args:
        settings: the settings of this run.
        chosen: names of the settings that were chosen for this run alone.
        history: the session that is resumed.
    """
    if history is None or not history.models or "model" in chosen:
        return settings
    first, *others = history.models
    return replace(
        settings,
        model=first,
        fallback=settings.fallback if "fallback" in chosen else others,
        base_url=settings.base_url if "base_url" in chosen else history.base_url,
    )


def _name(wanted: WantedSession, store: SessionStore) -> str:
    if wanted.name is not None:
        return wanted.name
    return latest(store) if wanted.is_earlier else new_run_id()


def _check_unfinished(name: str, history: History | None) -> None:
    if history is None or not history.messages:
        raise UsageError(f"nothing was asked in {name} yet", hint="Ask: leave --resume out.", code="nothing_to_resume")
    if history.status is not None and not history.is_unfinished and not history.unknown:
        raise UsageError(
            f"the last run of {name} has ended with an answer",
            hint=f"`finclaw sessions show {name}` shows it; to ask something else leave --resume out.",
            code="nothing_to_resume",
        )
