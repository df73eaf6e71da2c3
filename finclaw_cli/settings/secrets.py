"""Keys: looked up when needed, never printed, never written, never taken from an argument."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from urllib.parse import unquote, unquote_plus, urlsplit

from finclaw_cli.core.environment import Environment, environment
from finclaw_cli.core.json_text import JsonValue
from finclaw_cli.core.secrets import secrets_in_environment

SERVICE = "finclaw"
HIDDEN = "[hidden]"
_OPAQUE = frozenset({"headers", "env"})
"""Tables whose values are secrets under any name."""
_CREDENTIALS = r"(://)[^/?#\s]*@"
# What an address calls its secrets, beside the words that variables have for them.
_SIGNS = r"(?i)(?:^|_)(?:sig|signature|auth)(?:$|_)"


def find_key(variable: str) -> str | None:
    """The key from the environment, else from the system's keyring where the `keyring` package is installed."""
    return key_of(environment(), variable)


def key_of(current: Environment, variable: str) -> str | None:
    """The same, from the environment of an agent; what is found is masked from then on."""
    value = current.variables.get(variable, "").strip() or _from_keyring(variable)
    if value:
        current.secrets.add(value)
    return value or None


def know_secrets(variables: Mapping[str, str], layers: Mapping[str, object]) -> None:
    """Remember what must never be shown: values of the environment and the settings whose names mean a secret."""
    for value in (*_within(variables), *_within(layers)):
        environment().secrets.add(value)


def without_secrets(value: JsonValue, name: str = "") -> JsonValue:
    """A setting's value as it may be shown: without keys, and credentials in addresses, headers and variables."""
    if isinstance(value, dict):
        return {key: without_secrets(item, "headers" if name in _OPAQUE else key) for key, item in value.items()}
    if isinstance(value, list):
        return [without_secrets(item, name) for item in value]
    if not isinstance(value, str):
        return value
    return HIDDEN if name in _OPAQUE else environment().secrets.mask(re.sub(_CREDENTIALS, rf"\1{HIDDEN}@", value))


def _within(value: object, name: str = "") -> Iterator[str]:
    """The strings under names that say secret, and what is secret in addresses."""
    if isinstance(value, Mapping):
        for key, item in value.items():
            yield from _within(item, str(key))
    elif isinstance(value, list):
        for item in value:
            yield from _within(item, name)
    elif isinstance(value, str):
        yield from secrets_in_environment({_words(name): value}) if not name.endswith("_variable") else ()
        if "://" in value:
            yield from _password(value)
            yield from _in_query(value)


def _password(address: str) -> Iterator[str]:
    """As it is written, as it is meant, and as it is sent with the name."""
    try:
        parts = urlsplit(address)
        user, password = parts.username, parts.password
    except ValueError:  # no address at all, but shown in the error
        user, _, password = address.partition("://")[2].rpartition("@")[0].partition(":")
    if password:
        from base64 import b64encode

        meant = unquote(password)
        yield from (password, meant, b64encode(f"{unquote(user or '')}:{meant}".encode()).decode())


def _in_query(address: str) -> Iterator[str]:
    """The values after `?` and `#` whose names say that they are secret, as they are written and as they are meant."""
    for part in re.split("[?&;#]", address)[1:]:
        name, _, value = part.partition("=")
        words = _words(unquote_plus(name))
        if re.search(_SIGNS, words) or secrets_in_environment({words: value}):
            yield from (value, unquote_plus(value))


def _words(name: str) -> str:
    """A name of a header or of a part of an address, as a variable would be named."""
    return re.sub("[-.]|(?<=[a-z])(?=[A-Z])", "_", name)


def _from_keyring(variable: str) -> str | None:
    try:
        from keyring.errors import KeyringError

        from finclaw_cli.settings.keyring_backend import keyring_backend
    except ImportError:
        return None
    try:
        backend = keyring_backend()
        return None if backend is None else backend.get_password(SERVICE, variable)
    except KeyringError:
        return None  # no desktop, no keyring: the message about the variable follows
