"""Sections of the system prompt that plugins bring: beside finclaw's own, never in their place."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from finclaw_cli.core.errors import UsageError
from finclaw_cli.discovery.aside import stdout_to_stderr
from finclaw_cli.discovery.manager import PluginManager
from finclaw_cli.discovery.manifest import PluginManifest
from finclaw_cli.discovery.offers import hooks_of
from finclaw_cli.prompt.additions import inner, is_id, one_line
from finclaw_cli.prompt.ours import MAKERS
from finclaw_cli.prompt.section import PromptContext, PromptSection

HOOK = "finclaw_prompt_sections"
MAX_SECTIONS = 20
MAX_CHARS = 32_768
HIGHEST_PRIORITY = 100


def plugin_sections(plugins: PluginManager, context: PromptContext) -> tuple[list[PromptSection], list[str]]:
    """The sections of all trusted plugins that have some, and a line for each that was left out."""
    found: dict[str, PromptSection] = {}
    problems: list[str] = []
    for manifest in plugins.manifests:
        if HOOK not in manifest.hooks or not plugins.trusts(manifest):
            continue
        for offered in _offered(plugins, manifest, context, problems):
            try:
                section = _checked(offered, manifest.dist, found)
            except UsageError as error:
                problems.append(f"plugin {manifest.dist}: a prompt section was left out: {error.message}")
                continue
            if section.content:
                found[section.id] = section
    return list(found.values()), list(dict.fromkeys(problems))


def _offered(
    plugins: PluginManager, manifest: PluginManifest, context: PromptContext, problems: list[str]
) -> list[object]:
    """What one plugin gives, whatever that is; nothing where it fails."""
    try:
        with stdout_to_stderr():
            given = hooks_of(plugins.load(manifest)).finclaw_prompt_sections(context=context)
            offered = list(islice(_flat(given), MAX_SECTIONS + 1))
    except (Exception, SystemExit) as error:  # noqa: BLE001 - the run goes on without what it would have said
        problems.append(f"plugin {manifest.dist} cannot give its prompt sections: {error!r}")
        return []
    if len(offered) > MAX_SECTIONS:
        problems.append(f"plugin {manifest.dist} has more than {MAX_SECTIONS} prompt sections: the rest was left out")
    return offered[:MAX_SECTIONS]


def _flat(results: list[list[object]]) -> Iterator[object]:
    for result in results:
        yield from result


def _checked(offered: object, dist: str, earlier: dict[str, PromptSection]) -> PromptSection:
    """A section as it may stand in the prompt.

    Raises:
        UsageError: it may not.
    """
    if not isinstance(offered, PromptSection):
        raise UsageError(f"{type(offered).__name__} is no PromptSection")
    _check_types(offered)
    if not is_id(offered.id):
        raise UsageError(f"{offered.id!r} is no name: lower-case words with hyphens between them")
    if offered.id in MAKERS or offered.id in earlier:
        raise UsageError(f"the name {offered.id!r} is taken")
    if offered.required:
        raise UsageError(f"{offered.id} says that it is required, which only finclaw's own can be")
    if not 0 <= offered.priority <= HIGHEST_PRIORITY:
        raise UsageError(f"{offered.id} has the priority {offered.priority}; 0 to {HIGHEST_PRIORITY}")
    if len(offered.content) > MAX_CHARS:
        raise UsageError(f"{offered.id} has more than {MAX_CHARS:,} characters")
    title = one_line(offered.title) or offered.id
    return replace(offered, title=title, content=inner(offered.content), source=f"plugin:{dist}")


def _check_types(offered: PromptSection) -> None:
    """Nothing holds a plugin's author to the annotations."""
    texts = (offered.id, offered.title, offered.content)
    if not all(isinstance(text, str) for text in texts) or not isinstance(offered.priority, int):
        raise UsageError("its id, title and content are text, its priority is a whole number")
