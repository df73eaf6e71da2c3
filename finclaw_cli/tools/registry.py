"""The tools of a run by name: what may be offered, what a name means, and what to say when it means nothing."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from functools import partial

from finclaw_cli.core.dist_names import dist_name, qualified_name
from finclaw_cli.core.errors import UsageError
from finclaw_cli.core.record import record
from finclaw_cli.core.tool import GROUPS, Group, Offer, ToolDefinition, ToolGroup, ToolSpec

OF_A_FILE = (
    "Tools come from installed packages: give the file a pyproject.toml with an entry point of the group finclaw, and "
    "install it with pip install -e. `finclaw tools check FILE.py` checks it as it is."
)

CALLER = "caller"
"""The origin of tools that the program which started the run has passed."""


def _require_nothing() -> None:
    """Accept a tool whose standing does not change while the process runs."""


@record(kw_only=True)
class ToolEntry:
    """A tool that is known but perhaps not imported yet. `load` imports it and may raise `UsageError`."""

    spec: ToolSpec
    origin: str
    """The distribution it comes from, or `builtin`."""
    load: Callable[[], ToolDefinition]
    require_usable: Callable[[], None] = _require_nothing
    """Called before each call; raises `UsageError` where the tool may no longer be used."""

    @property
    def qualified_name(self) -> str:
        """The name that always works, as the model sees it: `dist__tool`."""
        return qualified_name(self.origin, self.spec.name)


class ToolRegistry:
    """All installed tools, or those of a run.

    A name that several plugins claim belongs to the one that the settings prefer, else to the only one that is trusted,
    else to none of them. `unnamed` are the prefixed names of tools that answer to nothing else.
    """

    def __init__(
        self,
        entries: Iterable[ToolEntry],
        prefer: Mapping[str, str] | None = None,
        *,
        unnamed: Collection[str] = (),
    ) -> None:
        self._by_name: dict[str, list[ToolEntry]] = {}
        self._by_qualified: dict[str, ToolEntry] = {}
        self._prefer = dict(prefer or {})
        self._unnamed = frozenset(unnamed)
        for entry in entries:
            if entry.qualified_name not in self._by_qualified:  # a distribution declares a name once
                self._by_qualified[entry.qualified_name] = entry
                if entry.qualified_name not in unnamed:
                    self._by_name.setdefault(entry.spec.name, []).append(entry)

    @property
    def entries(self) -> list[ToolEntry]:
        return sorted(self._by_qualified.values(), key=lambda entry: (entry.spec.name, entry.origin))

    @property
    def clashes(self) -> dict[str, tuple[str, ...]]:
        """Each name that several distributions claim and that nothing decides, with their names."""
        return {
            name: tuple(sorted(entry.origin for entry in entries))
            for name, entries in self._by_name.items()
            if self._owner(name) is None
        }

    @property
    def overruled(self) -> list[tuple[ToolEntry, ToolEntry]]:
        """Each tool whose name belongs to a trusted plugin, because its own is not trusted; and that plugin's tool."""
        return [
            (entry, owner)
            for name, entries in self._by_name.items()
            if self._preferred(name) is None and (owner := self._owner(name)) is not None
            for entry in entries
            if entry is not owner
        ]

    def find(self, name: str) -> ToolEntry | None:
        """The tool of that name: `tool`, `dist__tool` or `dist.tool`; None where there is none, or more than one."""
        dist, dot, tool = name.rpartition(".")
        if found := self._by_qualified.get(qualified_name(dist, tool) if dot else name.replace("-", "_").lower()):
            return found
        return self._owner(name)

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
        is_file = name.endswith(".py") or "/" in name
        raise UsageError(
            f"no tool is called {name!r}" + (f"; did you mean {', '.join(near)}?" if near else ""),
            hint=OF_A_FILE if is_file else "`finclaw tools list` shows what is installed.",
            code="unknown_tool",
        )

    def near(self, name: str) -> list[str]:
        """Names that are written almost like this one."""
        prefixed = [full for full, entry in self._by_qualified.items() if entry.spec.name == name]
        known = {*self._by_name, *self._by_qualified} - {name, *prefixed}
        return [*prefixed, *difflib.get_close_matches(name, sorted(known), n=3, cutoff=0.6)][:3]

    def offered(
        self,
        wanted: Iterable[str] | None,
        besides: Iterable[str] = (),
        groups: Mapping[ToolGroup, Group] = GROUPS,
    ) -> list[ToolSpec]:
        """What the model is offered, sorted by name: the tools wanted, or those of the groups always offered.

        Those that the caller has passed are always offered.

        Args:
            wanted: names, globs, or GROUP:GLOB. No glob matches a tool of a plugin that is not trusted.
            besides: names to offer as well, as far as their groups may be offered.
            groups: when the tools of each group are offered.

        Raises:
            UsageError: a wanted tool is unknown, its name is claimed by several plugins, or its group is never offered.
        """
        offers = {entry.qualified_name: _offer(entry, groups) for entry in self.entries}
        always = [entry for entry in self.entries if offers[entry.qualified_name] == "always"]
        if wanted is None:
            chosen = always
        else:
            names = [*wanted]
            chosen = [entry for pattern in names for entry in self._matching(pattern)]
            for entry in chosen:
                if offers[entry.qualified_name] == "never" and entry in map(self.find, names):
                    raise _never_offered(entry)
            chosen += [entry for entry in always if entry.origin == CALLER]
        chosen += [self.require(name) for name in besides]
        shown = {self.shown_name(each): each.spec for each in chosen if offers[each.qualified_name] != "never"}
        return [replace(spec, name=name) for name, spec in sorted(shown.items())]

    def only(self, offered: Iterable[ToolSpec]) -> ToolRegistry:
        """The registry of a run: a tool that was not offered does not exist there, whatever the model asks for."""
        names = {spec.name for spec in offered}
        kept = [entry for entry in self.entries if self.shown_name(entry) in names]
        unnamed = {entry.qualified_name for entry in kept if self.shown_name(entry) != entry.spec.name}
        return ToolRegistry(kept, self._prefer, unnamed=unnamed)

    def with_functions(self, functions: Iterable[ToolDefinition]) -> ToolRegistry:
        """These tools and a caller's own, whose names come before those of installed tools."""
        own = [ToolEntry(spec=each, origin=CALLER, load=partial(_itself, each)) for each in functions]
        if not own:
            return self
        prefer = {**self._prefer, **{entry.spec.name: CALLER for entry in own}}
        return ToolRegistry([*own, *self.entries], prefer, unnamed=self._unnamed)

    def without(self, names: Iterable[str]) -> ToolRegistry:
        """These tools without those of the caller that have these names."""
        gone = {*names}
        entries = [each for each in self.entries if each.origin != CALLER or each.spec.name not in gone]
        prefer = {name: origin for name, origin in self._prefer.items() if origin != CALLER or name not in gone}
        return ToolRegistry(entries, prefer, unnamed=self._unnamed)

    def require_of_caller(self, name: str) -> None:
        """Require that the caller has added a tool of that name.

        Raises:
            UsageError: it has not.
        """
        own = sorted(each.spec.name for each in self.entries if each.origin == CALLER)
        if name not in own:
            raise UsageError(
                f"{name!r} is no tool of the caller; these are: {', '.join(own) or 'none'}", code="unknown_tool"
            )

    def with_toolset(self, key: tuple[str, str], tools: Iterable[ToolEntry]) -> ToolRegistry:
        """These tools, but for a toolset: what it has now in place of what it had.

        Args:
            key: the distribution, and the name of its toolset.
            tools: what it has now.
        """
        others = [entry for entry in self.entries if (entry.origin, entry.spec.toolset) != key]
        return ToolRegistry([*others, *tools], self._prefer, unnamed=self._unnamed)

    def loaded_by(self, load: Callable[[ToolEntry], ToolDefinition]) -> ToolRegistry:
        """The same tools under the same names, each loaded in this way."""
        entries = [replace(entry, load=partial(load, entry)) for entry in self.entries]
        return ToolRegistry(entries, self._prefer, unnamed=self._unnamed)

    def shown_name(self, entry: ToolEntry) -> str:
        """The name under which a tool is offered: its own, or the prefixed one where that is not its alone."""
        return entry.spec.name if self.find(entry.spec.name) is entry else entry.qualified_name

    def _matching(self, pattern: str) -> list[ToolEntry]:
        from fnmatch import fnmatchcase

        group, _, glob = pattern.rpartition(":")
        if group or any(mark in pattern for mark in "*?["):
            found = [
                entry
                for entry in self.entries
                if entry.spec.is_trusted and fnmatchcase(entry.spec.name, glob) and group in {"", entry.spec.group}
            ]
            if not found:
                raise UsageError(
                    f"no tool matches {pattern!r}",
                    hint="`finclaw tools list` shows what is installed; "
                    "a tool of a plugin that is not trusted has to be named.",
                    code="unknown_tool",
                )
            return found
        return [self.require(pattern)]

    def _owner(self, name: str) -> ToolEntry | None:
        if preferred := self._preferred(name):
            return preferred
        entries = self._by_name.get(name, [])
        trusted = [entry for entry in entries if entry.spec.is_trusted]
        candidates = trusted or entries
        return candidates[0] if len(candidates) == 1 else None

    def _preferred(self, name: str) -> ToolEntry | None:
        wanted = dist_name(self._prefer.get(name, ""))
        return next((entry for entry in self._by_name.get(name, []) if dist_name(entry.origin) == wanted), None)

    def _clash(self, name: str) -> UsageError:
        origins = self.clashes[name]
        return UsageError(
            f"tool {name!r} is offered by several plugins: {', '.join(origins)}",
            hint=f"Name one: {origins[0]}.{name}, or set tool.prefer.{name} in the settings.",
            code="tool_clash",
        )


def _offer(entry: ToolEntry, groups: Mapping[ToolGroup, Group]) -> Offer:
    return "always" if entry.origin == CALLER else groups[entry.spec.counted_group].offer


def _never_offered(entry: ToolEntry) -> UsageError:
    group = entry.spec.counted_group
    return UsageError(
        f"the tool {entry.spec.name!r} is of the group {group}, which the settings never offer",
        hint=f"Set groups.{group}.offer to on-demand in your settings.",
        code="never_offered",
    )


def _itself(tool: ToolDefinition) -> ToolDefinition:
    return tool
