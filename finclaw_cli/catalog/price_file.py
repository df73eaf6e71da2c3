"""What the price data said of the models that were asked, kept on disk: importing it takes longer than a short run.

The file is keyed by the version of the price data. What is damaged, or was made by another version, is looked up anew;
a folder that cannot be written costs time, not function.
"""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, date, datetime
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any

from finclaw_cli import __version__
from finclaw_cli.catalog.price_data import price_data_name
from finclaw_cli.catalog.rates import PriceList
from finclaw_cli.core.beneath import NotBeneath, read_beneath
from finclaw_cli.core.checked import Within, WrongValue, checked
from finclaw_cli.core.file_locks import locked
from finclaw_cli.core.files import private_folder, replace_file
from finclaw_cli.core.json_text import jsonable
from finclaw_cli.core.record import record

FORMAT = 2
MOST_MODELS = 100
"""Those that were asked first are forgotten first."""
MAX_BYTES = 64 * 1024
PATIENCE_S = 1.0
_MOST_TOKENS = 10**12


@record(kw_only=True)
class KnownWindow:
    """A model's window."""

    tokens: Annotated[int, Within(1, _MOST_TOKENS)] | None
    """None: the price data knows none."""


@record(kw_only=True)
class KnownPrice:
    """A model's price list, where a request's tokens are all that a price depends on."""

    listed: PriceList | None
    """None: the price data has no price."""
    day: date | None
    """The only day for which that holds, in UTC; None where it holds for all."""


@record(kw_only=True)
class KnownModel:
    """What was asked about a model, and what the answer was."""

    window: KnownWindow | None = None
    price: KnownPrice | None = None

    def price_at(self, at: datetime) -> KnownPrice | None:
        """The price list of a moment, where it was asked for."""
        return self.price if self.price is not None and self.price.day in {None, utc_day(at)} else None


def utc_day(at: datetime) -> date:
    """The day by which price lists change; a moment without a time zone is one in UTC, as the price data has it."""
    return (at.astimezone(UTC) if at.tzinfo else at).date()


NOTHING_ASKED = KnownModel()


class PriceFile:
    """The file, read once, when it is first needed."""

    def __init__(self, path: Path | None) -> None:
        """The file need not be there; without a path, what is kept is kept as long as this object."""
        self._path = path
        self._stored: dict[str, Any] | None = None
        self._models: dict[str, KnownModel] = {}

    def known(self, provider: str, model: str) -> KnownModel:
        """What is kept of a model."""
        key = _key(provider, model)
        if key not in self._models:
            if self._stored is None:
                self._stored = self._read()
            self._models[key] = _checked(self._stored.get(key))
        return self._models[key]

    def keep_window(self, provider: str, model: str, window: KnownWindow) -> None:
        """Keep what was said of a model's window."""
        self._keep(_key(provider, model), replace(self.known(provider, model), window=window))

    def keep_price(self, provider: str, model: str, price: KnownPrice) -> None:
        """Keep what was said of its price."""
        self._keep(_key(provider, model), replace(self.known(provider, model), price=price))

    def _keep(self, key: str, known: KnownModel) -> None:
        self._models[key] = known
        if self._path is None:
            return
        with suppress(OSError):
            private_folder(self._path.parent)
            with locked(self._path, PATIENCE_S):
                self._write(self._path, key, known)

    def _write(self, path: Path, key: str, known: KnownModel) -> None:
        stored = self._read()  # others may have kept something meanwhile
        earlier = _checked(stored.pop(key, None))
        stored[key] = jsonable(KnownModel(window=known.window or earlier.window, price=known.price or earlier.price))
        last = dict(list(stored.items())[-MOST_MODELS:])
        replace_file(path, json.dumps({"made_by": _made_by(), "models": last}).encode())

    def _read(self) -> dict[str, Any]:
        """What the file has of each model, not yet looked at; nothing where it is not one of ours."""
        if self._path is None:
            return {}
        try:
            said = json.loads(read_beneath(self._path.parent, self._path.name, MAX_BYTES))
            models = said["models"] if said["made_by"] == _made_by() else {}
        except (NotBeneath, OSError, ValueError, KeyError, TypeError, RecursionError):
            return {}
        return models if isinstance(models, dict) else {}


def _key(provider: str, model: str) -> str:
    """A model's name without saying it: it is what somebody has typed, perhaps a secret, and as long as they like."""
    return sha256(f"{provider}:{model}".encode("utf-8", "surrogatepass")).hexdigest()


def _checked(told: object) -> KnownModel:
    try:
        return checked(KnownModel, told)
    except WrongValue:
        return NOTHING_ASKED


def _made_by() -> str:
    """Another finclaw may ask the same price data otherwise."""
    return f"{FORMAT} {__version__} {price_data_name()}"
