"""The options of a batch that go with it to the workers: those that were given and that change what runs do.

Keys, addresses of providers, policies and plugins stay on the workers, whose settings hold for all else.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Final, cast

from finclaw_cli.agent.options import AgentOptions
from finclaw_cli.app.read_schema import read_schema
from finclaw_cli.batch.openings import ANSWERING
from finclaw_cli.batch.queue import NewItem
from finclaw_cli.core.environment import environment
from finclaw_cli.core.errors import UsageError
from finclaw_cli.core.json_text import JsonObject, dump_line, jsonable
from finclaw_cli.settings.load import LoadedSettings

OF_WORKERS: Final = frozenset({"base_url", "policy", "transport"})
"""Options of a run that name files of a machine, or how it reaches others."""
_TIMES: Final = ("timeout", "first_chunk_timeout", "idle_timeout", "summary_timeout", "retry_attempts")
_SENT: Final = frozenset({*ANSWERING, *_TIMES}) - OF_WORKERS


def setup_of(loaded: LoadedSettings, options: AgentOptions, of_items: Iterable[JsonObject]) -> JsonObject:
    """What workers need to know of a batch.

    Args:
        loaded: its settings, with where each came from.
        options: as they were given.
        of_items: the different options that items have of their own.

    Raises:
        UsageError: an option is for one machine alone, or has a key in it.
    """
    for given in (cast("Mapping[str, object]", options), *of_items):
        _require_portable(given)
    settings = {
        name: jsonable(getattr(loaded.settings, name))
        for name, origin in loaded.origins.items()
        if name in _SENT and origin != "default"
    }
    setup: JsonObject = {
        "options": {**settings, **_portable_schema(options)},
        "no_plugins": bool(options.get("no_plugins")),
        "of_items": [{**own, **_portable_schema(own)} for own in of_items],
    }
    if environment().secrets.mask_value(setup) != setup:
        raise UsageError(
            "an option of the batch has a key in it", hint="Keys stay on the workers.", code="key_in_batch"
        )
    return setup


def options_in(setup: Mapping[str, Any]) -> AgentOptions:
    """The options of a batch that was submitted."""
    options: dict[str, Any] = {**setup["options"]}
    if setup["no_plugins"]:
        options["no_plugins"] = True
    return cast("AgentOptions", options)


def portable(item: NewItem) -> NewItem:
    """An item whose schema is in it, and not in a file of this machine."""
    body = json.loads(item.input)
    schema = _portable_schema(body["options"])
    return replace(item, input=dump_line({**body, "options": {**body["options"], **schema}})) if schema else item


def _portable_schema(options: Mapping[str, object]) -> JsonObject:
    schema = options.get("schema")
    return {"schema": read_schema(schema) if isinstance(schema, str) else jsonable(schema)} if schema else {}


def _require_portable(given: Mapping[str, object]) -> None:
    if found := sorted(name for name in given if name in OF_WORKERS and given[name]):
        raise UsageError(
            f"{found[0]}: is set on the workers, and not for a batch",
            hint="Write it in the settings of the workers.",
            code="not_portable",
        )
