"""Plugins that receive every event of a run."""

from __future__ import annotations

from collections.abc import Callable

from finclaw_cli.core.errors import UsageError
from finclaw_cli.core.events.agent import Emitted
from finclaw_cli.core.interruption import plugin_code
from finclaw_cli.plugin_host.manager import PluginManager


class PluginListeners:
    """An event sink for trusted plugins with `finclaw_event`. One that fails is reported once and not called again."""

    def __init__(self, plugins: PluginManager, report: Callable[[str], None]) -> None:
        self._report = report
        self._hooks = {}
        for manifest in plugins.manifests:
            if "finclaw_event" not in manifest.hooks or not plugins.trusts(manifest):
                continue
            try:
                self._hooks[manifest.dist] = plugins.hooks(manifest)
            except UsageError as error:
                report(error.message)

    @property
    def takes_deltas(self) -> bool:
        return bool(self._hooks)

    async def take(self, emitted: Emitted) -> None:
        for dist, hooks in list(self._hooks.items()):
            try:
                with plugin_code():
                    hooks.finclaw_event(run_id=emitted.run_id, event=emitted.event)
            except Exception as error:  # noqa: BLE001 - it may do so
                del self._hooks[dist]
                self._report(f"plugin {dist} failed on an event and gets no more of them: {error!r}")
