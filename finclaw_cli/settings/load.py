"""Settings from all their places: flag > environment > project file > user file > default."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from finclaw_cli.core.checked import WrongValue, checked, type_of
from finclaw_cli.core.clean import clean_line
from finclaw_cli.core.dist_names import dist_name
from finclaw_cli.core.environment import environment
from finclaw_cli.core.errors import UsageError
from finclaw_cli.core.numerals import number
from finclaw_cli.core.record import record
from finclaw_cli.settings.model import NAMES, PREFIX, TABLES, VARIABLES, Settings, declarations, variable
from finclaw_cli.settings.paths import check_home, project_file, user_file
from finclaw_cli.settings.secrets import know_secrets

MAX_FILE_BYTES = 1_000_000
# Read by a plugin of finclaw's own, in its tests.
OF_PLUGINS = frozenset({"FINCLAW_FRED_URL", "FINCLAW_YAHOO_URL"})
SCRIPTED = "scripted:"
"""What the names of models begin with whose turns are read from a file."""
MAX_KEYS = 20
MAX_KEY_CHARS = 60
YES = frozenset({"1", "true", "yes", "on"})
NO = frozenset({"0", "false", "no", "off"})


@record
class SettingsWarning:
    """Something that was ignored."""

    code: str
    message: str

    def __str__(self) -> str:
        return self.message


Layer = tuple[str, Mapping[str, object]]
"""Settings, and where they come from."""


@record(kw_only=True)
class LoadedSettings:
    """The settings, where each came from, and what was ignored."""

    settings: Settings
    origins: Mapping[str, str]
    """For each setting: `flag`, the variable's name, a file's path, or `default`."""
    warnings: tuple[SettingsWarning, ...] = ()


def load_settings(flags: Mapping[str, object] | None = None, folder: Path | None = None) -> LoadedSettings:
    """Read and check every layer; flags that are None count as not given.

    Raises:
        UsageError: others can change the data folder; a file cannot be read, is not TOML, or has an unknown key or a
            wrong value; or a variable is unknown that was meant to limit something.
    """
    know_secrets(environment().variables, {})  # before anything is read whose mistakes might be shown
    check_home()
    user = (str(user_file()), _read(user_file()))
    variables = [(name, {key: value}) for key, (name, value) in _from_environment().items()]
    given = ("flag", {key: value for key, value in (flags or {}).items() if value is not None})
    others: list[Layer] = [user, *variables, given]
    project, ignored = _project_layer(folder or environment().workspace, others)
    layers = [user, *project, *variables, given]
    unknown = [SettingsWarning("unknown_variable", message) for message in _unknown_variables()]
    know_secrets({}, dict(layers))
    return _merge(layers, (*ignored, *unknown))


def settings_of(values: Mapping[str, object], origin: str) -> LoadedSettings:
    """Settings that a program gives, with neither files nor variables; values that are None count as not given.

    Raises:
        UsageError: others can change the data folder; or a setting is unknown or has a wrong value.
    """
    know_secrets(environment().variables, {})
    check_home()
    given = {key: value for key, value in values.items() if value is not None}
    know_secrets({}, {origin: given})
    return _merge([(origin, given)], ())


def _project_layer(folder: Path, others: list[Layer]) -> tuple[list[Layer], list[SettingsWarning]]:
    """What a project's file may set, given what the user sets, and a warning for all else that is in it."""
    path = project_file(folder)
    found = _read(path) if path is not None else None
    if path is None or not found:
        return [], []
    known = declarations()
    refused = {
        "a project file may not set": {key for key in found if key not in known or known[key].project == "no"},
        "a project file may only lower limits": set(_raised_limits(found, others[0][1])),
        "a model whose turns are read from a file only you may choose": _scripted(found),
        "with an address of your own only you may name a fallback": _leading_elsewhere(found, others),
    }
    warnings = [
        SettingsWarning("project_settings", f"{path}: ignored, {why}: {_named(keys)}")
        for why, keys in refused.items()
        if keys
    ]
    dropped = set().union(*refused.values())
    return [(str(path), {key: value for key, value in found.items() if key not in dropped})], warnings


def _named(keys: Collection[str]) -> str:
    """Keys of a file that others wrote, in one line."""
    shown = [clean_line(key)[:MAX_KEY_CHARS] for key in sorted(keys)[:MAX_KEYS]]
    return ", ".join(shown) + (f" and {len(keys) - MAX_KEYS:,} more" if len(keys) > MAX_KEYS else "")


def _scripted(project: Mapping[str, object]) -> set[str]:
    """Settings that choose a scripted model: its turns would call tools under the user's approvals."""
    model, fallback = project.get("model"), project.get("fallback")
    chosen = {"model": [model], "fallback": fallback if isinstance(fallback, list) else []}
    return {key for key, names in chosen.items() if any(str(name).startswith(SCRIPTED) for name in names)}


def _leading_elsewhere(project: Mapping[str, object], others: list[Layer]) -> set[str]:
    """Settings that would send a conversation to another server than the one whose address the user gave."""
    has_address = any("base_url" in layer for _, layer in others)
    return {"fallback"} & set(project) if has_address else set()


def _raised_limits(project: Mapping[str, object], user: Mapping[str, object]) -> list[str]:
    """The limits that a project file sets higher than the user's file, or else finclaw, does; those it lowers hold."""
    settings = Settings()
    raised = []
    known = declarations()
    for key in sorted(key for key in project if key in known and known[key].project == "lower"):
        value, limit = project[key], user.get(key, getattr(settings, key))
        if isinstance(value, int | float) and isinstance(limit, int | float) and value > limit:
            raised.append(key)
    return raised


def _merge(layers: list[tuple[str, Mapping[str, object]]], warnings: tuple[SettingsWarning, ...]) -> LoadedSettings:
    values: dict[str, object] = {}
    origins = dict.fromkeys(NAMES, "default")
    for origin, layer in layers:
        _check(origin, layer)
        values |= {key: _over(values.get(key), value) for key, value in layer.items()}
        origins |= dict.fromkeys(layer, origin)
    return LoadedSettings(settings=checked(Settings, values), origins=origins, warnings=warnings)


def _over(below: object, value: object) -> object:
    """A table leaves the keys below that it does not name as they are: `FINCLAW_PLUGINS` lifts no `deny`."""
    return {**below, **value} if isinstance(below, dict) and isinstance(value, dict) else value


def _check(origin: str, layer: Mapping[str, object]) -> None:
    """Check a layer by itself, so that the message names the place where the mistake is."""
    for key in layer:
        if key not in NAMES:
            near = difflib.get_close_matches(key, NAMES, n=1)
            raise UsageError(
                f"{origin}: there is no setting {key!r}" + (f"; did you mean {near[0]!r}?" if near else ""),
                hint="`finclaw config show` lists them all.",
            )
    try:
        checked(Settings, dict(layer))
    except WrongValue as error:
        where = ".".join(error.where)
        name = f"--{where.replace('_', '-')}" if origin == "flag" else f"{origin}: {where}"
        raise UsageError(f"{name}: {error.message}; got {error.given!r}") from error
    _check_distributions(origin, layer)


def _check_distributions(origin: str, layer: Mapping[str, object]) -> None:
    """Refuse two tables for one distribution, of which only one would count."""
    tables = layer.get("plugin")
    written: dict[str, str] = {}
    for name in tables if isinstance(tables, dict) else ():
        if (other := written.setdefault(dist_name(name), name)) != name:
            raise UsageError(
                f"{origin}: plugin: {other!r} and {name!r} are the same distribution",
                hint="Put its settings into one table.",
            )


def read_file(path: Path) -> str | None:
    """The text of a settings file; None where there is none.

    Raises:
        UsageError: it cannot be read, is larger than any settings file, or no text.
    """
    try:
        if path.exists() and not path.is_file():
            raise UsageError(f"{path}: not a regular file")
        with path.open("rb") as file:
            content = file.read(MAX_FILE_BYTES + 1)
    except (FileNotFoundError, NotADirectoryError) as error:
        if path.is_symlink():  # a file was meant to be here: rules that are not read would allow too much
            raise UsageError(f"{path}: the link leads nowhere") from error
        return None
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror}") from error
    if len(content) > MAX_FILE_BYTES:
        raise UsageError(f"{path}: larger than {MAX_FILE_BYTES} bytes; this cannot be a settings file")
    try:
        return content.decode("utf-8-sig")  # some editors begin a file with a mark of its encoding
    except UnicodeDecodeError as error:
        raise UsageError(f"{path}: not valid TOML: {error}") from error


def _read(path: Path) -> Mapping[str, object]:
    return parsed(read_file(path) or "", path)


def parsed(text: str, path: Path) -> dict[str, Any]:
    """The values in the text of a settings file.

    Raises:
        UsageError: it is not TOML.
    """
    if not text.strip():
        return {}
    import tomllib  # most people have no file

    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # a number of a million digits is one, too
        raise UsageError(f"{path}: not valid TOML: {error}") from error


def _from_environment() -> dict[str, tuple[str, object]]:
    found: dict[str, tuple[str, object]] = {}
    for key in NAMES:
        name = variable(key)
        if key in TABLES or (text := environment().variables.get(name)) is None:
            continue
        found[key] = (name, _parsed(str(type_of(Settings, key)), text))
    if only := environment().variables.get("FINCLAW_PLUGINS"):
        found["plugins"] = ("FINCLAW_PLUGINS", {"only": _listed(only)})
    return found


def _unknown_variables() -> list[str]:
    names = [name for name in environment().variables if name.startswith(PREFIX) and name not in VARIABLES | OF_PLUGINS]
    if not names:
        return []
    from finclaw_cli.settings.variables import unknown_variable  # most environments have none

    return [unknown_variable(name) for name in sorted(names)]


def _parsed(kind: str, text: str) -> object:
    """A variable's text as a setting of that type stands in a file; else as it is, for the check to refuse."""
    if "bool" in kind and (word := text.strip().lower()) in YES | NO:
        return word in YES
    if "list[" in kind:
        return _listed(text)
    with suppress(ValueError):
        if "[int" in kind:
            return number(text, int)
        if "[float" in kind:
            return number(text, float)
    return text


def _listed(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]
