"""`finclaw models set`: values of a model that replace the price data, stored in the settings file."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from finclaw_cli.catalog.windows import SETTINGS
from finclaw_cli.cli.listing import print_json
from finclaw_cli.cli.models.table import PRICES, UNKNOWN, max_output_cell, price_cell, window_cell
from finclaw_cli.core import checked as check
from finclaw_cli.core.errors import UsageError
from finclaw_cli.listings.models import ModelFacts, ModelRow, model_facts
from finclaw_cli.output.console import echo, echo_table
from finclaw_cli.output.notice import notice
from finclaw_cli.settings.change import SettingsFile, settings_to_change
from finclaw_cli.settings.model_file import with_model, without_model
from finclaw_cli.settings.tables import ModelSettings

LONGEST_NAME = 200


def set_in_settings(name: str, values: Mapping[str, int | str], *, as_json: bool) -> None:
    """Add these values to the model's table in the settings file, and print the result.

    Args:
        name: the model: `provider:model`, a name that a provider recognises, or an alias.
        values: by the names of `[models]`; tokens, and USD per million tokens.
        as_json: JSON instead of text.

    Raises:
        UsageError: no value was given, a value is invalid, or the file cannot be changed; it is unchanged then.
    """
    if not values:
        raise UsageError("nothing to set", hint="Give a value: --window N, --input USD --output USD, … or --unset.")
    full = full_name(model_facts(), name)
    with settings_to_change() as file:
        tables = _models_in(file)
        stored = next((one for one in (full, name) if one in tables), full)
        file.replace(with_model(file.text, stored, checked(values, tables.get(stored, {}))))
    facts = model_facts()
    if facts.named(stored) is None:
        notice(f"finclaw: no provider recognises {stored!r}: this counts for any provider's model of that name")
    row = facts.described_row(stored)
    if as_json:
        print_json({"file": str(file.path), "stored_as": stored, "model": row})
        return
    echo(f'Stored in {file.path} as [models."{stored}"].')
    _print_model(row)


def unset_in_settings(name: str, values: Mapping[str, int | str], *, as_json: bool) -> None:
    """Remove the model's table from the settings file, and print the result.

    Raises:
        UsageError: there is none, values were given too, or the file cannot be changed; it is unchanged then.
    """
    if values:
        raise UsageError("--unset removes all values that were set for a model: it cannot be combined with values")
    full = full_name(model_facts(), name)
    with settings_to_change() as file:
        tables = _models_in(file)
        stored = next((one for one in (full, name) if one in tables), None)
        if stored is None:
            there = f"It has entries for: {', '.join(tables)}." if tables else "It has no entry for any model."
            raise UsageError(f"{file.path} has no entry for {full!r}", hint=there)
        file.replace(without_model(file.text, stored))
    facts = model_facts()
    row = facts.described_row(stored) if facts.named(stored) is not None else None
    if as_json:
        print_json({"file": str(file.path), "removed": stored, "model": row})
        return
    echo(f'Removed [models."{stored}"] from {file.path}.')
    if row is not None:
        _print_model(row)


def full_name(facts: ModelFacts, name: str) -> str:
    """The name under which a model is stored: `provider:model`, or the bare name where no provider recognises it.

    Raises:
        UsageError: the name is invalid, or that of a provider without a model.
    """
    if not name.strip() or not name.isprintable() or len(name) > LONGEST_NAME:
        raise UsageError(f"{name[:LONGEST_NAME]!r} is no name of a model")
    meant = facts.registry.meant(name)
    try:
        return ":".join(facts.registry.resolve(meant))
    except UsageError:
        if meant.partition(":")[0] in {entry.facts.name for entry in facts.registry.entries} and ":" in meant:
            raise
        return meant


def checked(values: Mapping[str, int | str], beside: Mapping[str, object]) -> dict[str, int | Decimal]:
    """The values to store, validated together with those in the table.

    Raises:
        UsageError: a value is invalid, which names its option, or --input or --output is missing.
    """
    try:
        model = check.checked(ModelSettings, {**beside, **values})
    except check.WrongValue as error:
        if not error.where:
            raise UsageError(error.message, hint="Give --input and --output together.") from error
        option = "--" + error.where[0].removesuffix("_usd").replace("_", "-")
        raise UsageError(f"{option}: {error.message}; got {str(error.given)[:LONGEST_NAME]!r}") from error
    return {key: getattr(model, key) for key in values}


def _models_in(file: SettingsFile) -> dict[str, Any]:
    models = file.tables().get("models", {})
    return models if isinstance(models, dict) else {}


def _print_model(row: ModelRow) -> None:
    prices = row.price_source or UNKNOWN
    rows = [
        ("window", window_cell(row), row.window_source or UNKNOWN),
        ("max output", max_output_cell(row), UNKNOWN if row.max_output is None else SETTINGS),
        *((label, price_cell(row, key), prices) for label, key in PRICES.items()),
    ]
    echo(f"\n{row.model}: tokens, and USD per million tokens")
    echo_table(("WHAT", "NOW", "FROM"), rows, drop=("FROM",))
