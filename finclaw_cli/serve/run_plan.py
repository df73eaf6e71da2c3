"""From what a client asks for to the plan of an ordinary run, on the channel `serve`."""

from __future__ import annotations

from collections.abc import Callable

from finclaw_cli.app.plan import Plan
from finclaw_cli.app.planner import FindInstalled, Planner, PlanOptions
from finclaw_cli.app.read_schema import checked_schema, schema_of_text
from finclaw_cli.core.errors import FinclawError, UsageError, unexpected
from finclaw_cli.core.json_text import JsonObject
from finclaw_cli.serve.wanted_run import WantedRun
from finclaw_cli.settings.load import load_settings
from finclaw_cli.settings.paths import sessions_folder
from finclaw_cli.transcript.store import SessionStore

CHANNEL = "serve"
NOT_KEPT = "a served run is read from its transcript: it cannot be made without one"


def planned(wanted: WantedRun, find: FindInstalled, report: Callable[[str], None]) -> Plan:
    """The plan of a run; where something is missing the plan has the error.

    Raises:
        UsageError: an option or a settings file has a wrong value, or the name of the session is none.
    """
    loaded = load_settings(wanted.options)
    if not loaded.settings.save:
        raise UsageError(NOT_KEPT, hint="Leave save out, or set it to true.", code="not_kept")
    if wanted.session.name is not None:
        SessionStore(sessions_folder()).path(wanted.session.name)
    options = PlanOptions(
        session=wanted.session,
        channel=CHANNEL,
        chosen=frozenset(wanted.options),
        approved=loaded.settings.approve if "approve" in wanted.options else (),
        report=report,
        find=find,
    )
    planner = Planner(loaded.settings, options)
    for ignored in loaded.warnings:
        planner.warn(ignored.code, ignored.message)
    error: FinclawError | None = None
    try:
        planner.open_session()
        planner.prepare(_schema(wanted.schema))
    except FinclawError as raised:
        error = raised
    except Exception as raised:  # noqa: BLE001 - a bug must not prevent the result line
        error = unexpected(raised)
    return planner.plan(error)


def _schema(given: JsonObject | str | None) -> JsonObject | None:
    if given is None:
        return None
    return schema_of_text(given) if isinstance(given, str) else checked_schema(given)
