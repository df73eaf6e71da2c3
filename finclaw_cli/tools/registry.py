"""The tools of a run by name: what may be offered, what a name means, and what to say when it means nothing."""

from __future__ import annotations

import difflib
import hashlib
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

from finclaw_cli.core.errors import UsageError
from finclaw_cli.core.tool import ALWAYS_OFFERED, ToolDefinition, ToolSpec

# Providers take no longer name.
MAX_NAME = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolEntry:
    """A tool that is known but perhaps not imported yet. `load` imports it and may raise `UsageError`."""

    spec: ToolSpec
    origin: str
    """The distribution it comes from, or `builtin`."""
    load: Callable[[], ToolDefinition]

    @property
    def qualified_name(self) -> str:
        """The name that always works, as the model sees it: `dist__tool`."""
        name = f"{_prefix(self.origin)}__{self.spec.name}"
        if len(name) <= MAX_NAME:
            return name
        digest = hashlib.sha256(name.encode()).hexdigest()[:8]
        return f"{name[: MAX_NAME - 9]}_{digest}"


def _prefix(dist: str) -> str:
    """A distribution's name as it may stand in a tool's: providers take no dots."""
    return re.sub(r"[-_.]+", "_", dist).lower()


class ToolRegistry:
    """All installed tools. A name that two plugins claim belongs to neither, unless the settings prefer one."""

    def __init__(self, entries: Iterable[ToolEntry], prefer: Mapping[str, str] | None = None) -> None:
        self._by_name: dict[str, list[ToolEntry]] = {}
        self._by_qualified: dict[str, ToolEntry] = {}
        self._prefer = dict(prefer or {})
        for entry in entries:
            if entry.qualified_name not in self._by_qualified:  # a distribution says a name once
                self._by_name.setdefault(entry.spec.name, []).append(entry)
                self._by_qualified[entry.qualified_name] = entry

    @property
    def entries(self) -> list[ToolEntry]:
        return sorted(self._by_qualified.values(), key=lambda entry: (entry.spec.name, entry.origin))

    @property
    def clashes(self) -> dict[str, tuple[str, ...]]:
        """Each name that several distributions claim and the settings do not decide, with their names."""
        return {
            name: tuple(sorted(entry.origin for entry in entries))
            for name, entries in self._by_name.items()
            if len(entries) > 1 and self._preferred(name) is None
        }

    def find(self, name: str) -> ToolEntry | None:
        """The tool of that name: `tool`, `dist__tool` or `dist.tool`; None where there is none, or more than one."""
        dist, dot, tool = name.rpartition(".")
        if found := self._by_qualified.get(f"{_prefix(dist)}__{tool}" if dot else name.replace("-", "_").lower()):
            return found
        entries = self._by_name.get(name, [])
        return entries[0] if len(entries) == 1 else self._preferred(name)

    def require(self, name: str) -> ToolEntry:
        """The tool of that name.

        Raises:
            UsageError: there is none (with near matches), or several plugins claim it (with their names).
        """
        if found := self.find(name):
            return found
        if name in self.clashes:
            raise self._clash(name)
        near = self.near(name)
        raise UsageError(
            f"no tool is called {name!r}" + (f"; did you mean {', '.join(near)}?" if near else ""),
            hint="`finclaw tools list` shows what is installed.",
            code="unknown_tool",
        )

    def near(self, name: str) -> list[str]:
        """Names that are written almost like this one."""
        return difflib.get_close_matches(name, [*self._by_name, *self._by_qualified], n=3, cutoff=0.6)

    def offered(self, wanted: Iterable[str] | None, besides: Iterable[str] = ()) -> list[ToolSpec]:
        """What the model is offered, sorted by name: the tools wanted, or those of the groups always offered.

        Args:
            wanted: names, globs, or GROUP:GLOB.
            besides: names to offer as well.

        Raises:
            UsageError: a wanted tool is unknown, or its name is claimed by several plugins.
        """
        if wanted is not None:
            chosen = [entry for pattern in wanted for entry in self._matching(pattern)]
        else:
            chosen = [entry for entry in self.entries if entry.spec.counted_group in ALWAYS_OFFERED]
        chosen.extend(self.require(name) for name in besides)
        shown = {self._shown_name(entry): entry.spec for entry in chosen}
        return [replace(spec, name=name) for name, spec in sorted(shown.items())]

    def only(self, offered: Iterable[ToolSpec]) -> ToolRegistry:
        """The registry of a run: a tool that was not offered does not exist there, whatever the model asks for."""
        names = {spec.name for spec in offered}
        return ToolRegistry([entry for entry in self.entries if self._shown_name(entry) in names], self._prefer)

    def _matching(self, pattern: str) -> list[ToolEntry]:
        from fnmatch import fnmatchcase

        group, _, glob = pattern.rpartition(":")
        if group or any(mark in pattern for mark in "*?["):
            found = [
                entry
                for entry in self.entries
                if fnmatchcase(entry.spec.name, glob) and group in {"", entry.spec.group}
            ]
            if not found:
                raise UsageError(
                    f"no tool matches {pattern!r}",
                    hint="`finclaw tools list` shows what is installed.",
                    code="unknown_tool",
                )
            return found
        return [self.require(pattern)]

    def _shown_name(self, entry: ToolEntry) -> str:
        return entry.spec.name if self.find(entry.spec.name) is entry else entry.qualified_name

    def _preferred(self, name: str) -> ToolEntry | None:
        wanted = self._prefer.get(name)
        return next((entry for entry in self._by_name.get(name, []) if entry.origin == wanted), None)

    def _clash(self, name: str) -> UsageError:
        origins = self.clashes[name]
        return UsageError(
            f"tool {name!r} is offered by several plugins: {', '.join(origins)}",
            hint=f"Name one: {origins[0]}.{name}, or set tools.prefer.{name} in the settings.",
            code="tool_clash",
        )
