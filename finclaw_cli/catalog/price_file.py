"""A cache of the price data of used models on disk, as importing the price data takes longer than a short run.

The file is keyed by the version of the price data. Damaged entries, and those of another version, are looked up again;
where the folder cannot be written, nothing is cached.
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
"""The most models in the file; the oldest are removed first."""
MAX_BYTES = 64 * 1024
PATIENCE_S = 1.0
_MOST_TOKENS = 10**12


@record(kw_only=True)
class KnownWindow:
    """A model's context window."""

    tokens: Annotated[int, Within(1, _MOST_TOKENS)] | None
    """None: the price data has none."""


@record(kw_only=True)
class KnownPrice:
    """A model's price list, where prices depend on tokens alone."""

    listed: PriceList | None
    """None: the price data has no price."""
    day: date | None
    """The only day, in UTC, that it is valid for; None where it is always valid."""


@record(kw_only=True)
class KnownModel:
    """The cached facts of a model."""

    window: KnownWindow | None = None
    price: KnownPrice | None = None

    def price_at(self, at: datetime) -> KnownPrice | None:
        """The price list at a moment, if it is cached."""
        return self.price if self.price is not None and self.price.day in {None, utc_day(at)} else None


def utc_day(at: datetime) -> date:
    """The day of a price list; a moment without a time zone is in UTC, as in the price data."""
    return (at.astimezone(UTC) if at.tzinfo else at).date()


NOTHING_ASKED = KnownModel()


class PriceFile:
    """The file, read once, at its first use."""

    def __init__(self, path: Path | None) -> None:
        """The file need not exist; without a path, entries are kept in memory."""
        self._path = path
        self._stored: dict[str, Any] | None = None
        self._models: dict[str, KnownModel] = {}

    def known(self, provider: str, model: str) -> KnownModel:
        """The cached facts of a model."""
        key = _key(provider, model)
        if key not in self._models:
            if self._stored is None:
                self._stored = self._read()
            self._models[key] = _checked(self._stored.get(key))
        return self._models[key]

    def keep_window(self, provider: str, model: str, window: KnownWindow) -> None:
        """Store a model's context window."""
        self._keep(_key(provider, model), replace(self.known(provider, model), window=window))

    def keep_price(self, provider: str, model: str, price: KnownPrice) -> None:
        """Store a model's price."""
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
        stored = self._read()  # other processes may have changed it
        earlier = _checked(stored.pop(key, None))
        stored[key] = jsonable(KnownModel(window=known.window or earlier.window, price=known.price or earlier.price))
        last = dict(list(stored.items())[-MOST_MODELS:])
        replace_file(path, json.dumps({"made_by": _made_by(), "models": last}).encode())

    def _read(self) -> dict[str, Any]:
        """The unchecked entries of the file; none where it was made by another version."""
        if self._path is None:
            return {}
        try:
            stored = json.loads(read_beneath(self._path.parent, self._path.name, MAX_BYTES))
            models = stored["models"] if stored["made_by"] == _made_by() else {}
        except (NotBeneath, OSError, ValueError, KeyError, TypeError, RecursionError):
            return {}
        return models if isinstance(models, dict) else {}


def _key(provider: str, model: str) -> str:
    """A digest of a model's name, as what the user typed may be a secret, or very long."""
    return sha256(f"{provider}:{model}".encode("utf-8", "surrogatepass")).hexdigest()


def _checked(entry: object) -> KnownModel:
    try:
        return checked(KnownModel, entry)
    except WrongValue:
        return NOTHING_ASKED


def _made_by() -> str:
    """The versions that the entries depend on."""
    return f"{FORMAT} {__version__} {price_data_name()}"
