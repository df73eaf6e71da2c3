"""The secrets that this process knows, removed from all that it writes: exact values, in whole texts and in pieces."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

from finclaw_cli.core.json_text import JsonValue

HIDDEN = "[REDACTED:key]"
LEAST = 8
LONG = 16
"""Of so many characters a secret is no word in lower case either."""
# How often a value may have been put into a JSON string that was put into a JSON string: a tool's result in an event.
QUOTED_AT_MOST = 4

_SAYS_SECRET = re.compile(
    r"(?:^|_)(?:API_?KEY|KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASS|CREDENTIALS?)(?:$|_)", re.IGNORECASE
)


class KnownSecrets:
    """Values that must never be shown, each also as it looks inside of JSON."""

    def __init__(self) -> None:
        self._forms: set[str] = set()
        self._pattern: re.Pattern[str] | None = None
        self._ordered: tuple[str, ...] = ()
        self._starts: re.Pattern[str] | None = None

    def add(self, value: str) -> None:
        """Know one more secret. What is shorter than 8 characters or blank is none."""
        if len(value) < LEAST or not value.strip():
            return
        # Codes and types of errors are shown in lower case, whatever a server has put into them.
        forms = {value, value.lower()} if len(value) >= LONG else {value}
        for _ in range(QUOTED_AT_MOST):
            forms |= {json.dumps(form, ensure_ascii=only_ascii)[1:-1] for form in forms for only_ascii in (True, False)}
        if forms <= self._forms:
            return
        # Replaced, never changed in place: another thread may be reading.
        self._forms = self._forms | forms
        self._ordered = tuple(sorted(self._forms, key=lambda form: (-len(form), form)))
        # A first character alone is in nearly every text: it counts with the second one, or where the text breaks off.
        starts = sorted({form[:2] for form in self._forms})
        self._starts = re.compile("|".join(f"{re.escape(start[0])}(?={re.escape(start[1])}|\\Z)" for start in starts))
        self._pattern = re.compile("|".join(map(re.escape, self._ordered)))

    def mask(self, text: str) -> str:
        """The text with every known secret as `[REDACTED:key]`; the same object when there is none in it."""
        if self._pattern is None or not any(form in text for form in self._forms):
            return text
        return self._pattern.sub(HIDDEN, text)

    def mask_value(self, value: JsonValue) -> JsonValue:
        """The same for JSON, however deep; keys, too. The same object when nothing changed."""
        if self._pattern is None:
            return value
        match value:
            case str():
                return self.mask(value)
            case dict():
                masked = {self.mask(key): self.mask_value(item) for key, item in value.items()}
                same = all(map(_same, masked, value)) and all(map(_same, masked.values(), value.values()))
                return value if same and len(masked) == len(value) else masked
            case list() | tuple():
                items = [self.mask_value(item) for item in value]
                return value if all(map(_same, items, value)) else items
            case _:
                return value

    def scan(self, text: str) -> tuple[str, str]:
        """What of a text that goes on can be shown now, masked, and the tail that may be part of a secret."""
        if self._pattern is None or self._starts is None or self._starts.search(text) is None:
            return text, ""
        shown: list[str] = []
        position = 0
        while True:
            held = self._unfinished(text, position, self._starts)
            found = self._pattern.search(text, position)
            if found is None or found.start() >= held:
                return "".join(shown) + text[position:held], text[held:]
            shown += [text[position : found.start()], HIDDEN]
            position = found.end()

    def _unfinished(self, text: str, position: int, starts: re.Pattern[str]) -> int:
        """Where the first secret begins that the text breaks off in."""
        longest = len(self._ordered[0]) - 1
        for start in starts.finditer(text, max(position, len(text) - longest)):
            tail = text[start.start() :]
            for form in self._ordered:
                if len(form) > len(tail) and form.startswith(tail):
                    return start.start()
        return len(text)


def _same(one: object, other: object) -> bool:
    return one is other


class HoldBack:
    """Masks text that comes in pieces: keeps back a tail that may be the beginning of a secret."""

    def __init__(self, secrets: KnownSecrets) -> None:
        self._secrets = secrets
        self.kept = ""
        """The tail that waits for what comes next."""

    def feed(self, piece: str) -> str:
        """Take a piece; what may be shown now."""
        shown, self.kept = self._secrets.scan(self.kept + piece if self.kept else piece)
        return shown

    def flush(self) -> str:
        """What was kept back, when nothing more comes."""
        kept, self.kept = self.kept, ""
        return self._secrets.mask(kept)


# The secrets of this process.
PROCESS = KnownSecrets()


def secrets_in_environment(environment: Mapping[str, str]) -> list[str]:
    """The values of variables whose names say that they are secret, such as `OPENAI_API_KEY`."""
    return [value for name, value in environment.items() if len(value) >= LEAST and _SAYS_SECRET.search(name)]
