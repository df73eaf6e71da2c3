"""Sections of the system prompt from plugins, in addition to finclaw's own."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterable, Callable, Coroutine, Iterable, Iterator
from functools import partial
from itertools import islice
from typing import Any, Generic, TypeVar, cast

from finclaw_cli.core.clean import clean_line
from finclaw_cli.core.errors import UsageError
from finclaw_cli.core.interruption import plugin_code
from finclaw_cli.plugin_host.manager import PluginManager
from finclaw_cli.plugin_host.manifest import PluginManifest
from finclaw_cli.plugin_host.stdout_redirect import stdout_to_stderr
from finclaw_cli.prompt.additions import is_id
from finclaw_cli.prompt.builtin_sections import MAKERS
from finclaw_cli.prompt.headings import PLUGIN, heading, inner, one_line
from finclaw_cli.prompt.section import PromptContext, PromptSection

HOOK = "finclaw_prompt_sections"
MAX_SECTIONS = 20
MAX_CHARS = 32_768
HIGHEST_PRIORITY = 100
Given = TypeVar("Given")


def plugin_sections(
    plugins: PluginManager, context: PromptContext, timeout_s: float
) -> tuple[list[PromptSection], list[str]]:
    """The sections of all trusted plugins that have some, and a line for each that was left out.

    A plugin that has not answered after `timeout_s` seconds is no longer waited for.
    """
    found: dict[str, PromptSection] = {}
    problems: list[str] = []
    for manifest in plugins.manifests:
        if HOOK not in manifest.hooks or not plugins.trusts(manifest):
            continue
        for offered in _offered(plugins, manifest, partial(_ask, context=context, timeout_s=timeout_s), problems):
            try:
                section = _checked(offered, manifest.dist, found)
            except UsageError as error:
                problems.append(f"plugin {manifest.dist}: a prompt section was left out: {error.message}")
                continue
            if section.content:
                found[section.id] = section
    return list(found.values()), [clean_line(problem) for problem in dict.fromkeys(problems)]


def _offered(
    plugins: PluginManager, manifest: PluginManifest, ask: Callable[[Any], list[object]], problems: list[str]
) -> list[object]:
    """The unchecked sections of one plugin; none where it fails."""
    try:
        with plugin_code():
            offered = ask(plugins.hooks(manifest))
    except UsageError as error:
        problems.append(f"plugin {manifest.dist} cannot give its prompt sections: {error.message}")
        return []
    except Exception as error:  # noqa: BLE001 - the run goes on without its sections
        problems.append(f"plugin {manifest.dist} cannot give its prompt sections: {_error_text(error)}")
        return []
    if len(offered) > MAX_SECTIONS:
        problems.append(f"plugin {manifest.dist} has more than {MAX_SECTIONS} prompt sections: the rest was left out")
    return offered[:MAX_SECTIONS]


def _error_text(error: BaseException) -> str:
    try:
        return repr(error)
    except BaseException:  # noqa: BLE001 - the plugin's own class
        return type(error).__name__


def _ask(hooks: Any, context: PromptContext, timeout_s: float) -> list[object]:
    """What the hook gives, one more than it may.

    Raises:
        BaseException: whatever the plugin raises.
    """

    def ask() -> list[object]:
        given = hooks.finclaw_prompt_sections(context=context)
        return list(islice(_flat(given), MAX_SECTIONS + 1))

    with stdout_to_stderr():
        return _in_time(ask, timeout_s)


def _flat(results: Iterable[object]) -> Iterator[object]:
    for result in results:
        if isinstance(result, Coroutine):
            result.close()  # or Python warns that it was never awaited
        if isinstance(result, Coroutine | AsyncIterable):
            raise UsageError(f"the hook {HOOK} must be a plain function, not an async one")
        yield from cast("Iterable[object]", result)


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
        raise UsageError(f"{offered.id} is declared as required, which only finclaw's own sections can be")
    if not 0 <= offered.priority <= HIGHEST_PRIORITY:
        raise UsageError(f"{offered.id} has the priority {offered.priority}; 0 to {HIGHEST_PRIORITY}")
    if len(offered.content) > MAX_CHARS:
        raise UsageError(f"{offered.id} has more than {MAX_CHARS:,} characters")
    source = f"{PLUGIN}{dist}"
    # A new object: a class of the plugin could return other values than those that were checked.
    return PromptSection(
        id=offered.id,
        title=heading(offered.id, one_line(offered.title), source),
        content=inner(offered.content),
        priority=offered.priority,
        source=source,
    )


def _check_types(offered: PromptSection) -> None:
    """Nothing holds a plugin's author to the annotations."""
    texts = (offered.id, offered.title, offered.content)
    if not all(isinstance(text, str) for text in texts) or not isinstance(offered.priority, int):
        raise UsageError("its id, title and content are text, its priority is a whole number")


def _in_time(ask: Callable[[], Given], timeout_s: float) -> Given:
    """Return the result of a function; after the timeout, abandon its thread.

    Raises:
        UsageError: it took longer.
        BaseException: whatever it raised.
    """
    asked = _Asked(ask)
    asked.start()
    asked.join(timeout_s)
    if asked.is_alive():
        asked.abandon()
        raise UsageError(f"there was no answer within {timeout_s:g} s")
    if asked.raised is not None:
        raise asked.raised
    return asked.given


class _Asked(threading.Thread, Generic[Given]):
    """A thread with an answer; a daemon, so that the process ends without it."""

    given: Given

    def __init__(self, ask: Callable[[], Given]) -> None:
        super().__init__(daemon=True)
        self._ask = ask
        self.raised: BaseException | None = None

    def run(self) -> None:
        """Call the function, and store its result or exception."""
        try:
            self.given = self._ask()
        except BaseException as error:  # noqa: BLE001 - raised again in the thread that waits
            self.raised = error

    def abandon(self) -> None:
        """Let it end as soon as it runs Python code: then it takes no time from others, and prints nothing late."""
        import ctypes

        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self.ident or 0), ctypes.py_object(SystemExit))
