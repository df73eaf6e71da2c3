"""What a tool cannot work without, and whether it is there: found out without importing the tool."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

from finclaw_cli.core.environment import environment
from finclaw_cli.core.programs import find_program
from finclaw_cli.core.tool import Need, ToolSpec
from finclaw_cli.plugin_host.entry_points import entry_points

READY = "ready"


def availability(needs: Sequence[Need], folder: Path) -> tuple[str, str]:
    """Whether a tool can work right now (`ready`, `needs-data`, `needs-key`, …), and what would make it so.

    Args:
        needs: the tool's.
        folder: finclaw's data folder.
    """
    for need in needs:
        if need.file is not None and not (folder / need.file).exists() and not _brought(need.or_entry_points):
            return "needs-data", need.how
        if need.env is not None and not environment().variables.get(need.env):
            return "needs-key", need.how
        if need.program is not None and find_program(need.program) is None:
            return "needs-program", need.how
    return READY, ""


def missing_configuration(spec: ToolSpec, has_key: Callable[[str], bool]) -> str | None:
    """Why a call of a tool cannot work here: a variable or a program that it needs is missing; None where it may work.

    Args:
        spec: the tool.
        has_key: whether there is a variable, or a key of its name in the system's keyring.

    Missing data is the tool's own to report, which knows what of it the call asks for.
    """
    from finclaw_cli.core.finance import DO_NOT_ESTIMATE  # listings need it not

    for need in spec.needs:
        if need.env is not None and not has_key(need.env):
            return f"NOT_CONFIGURED: {spec.name} needs the variable {need.env}: {need.how}. {DO_NOT_ESTIMATE}"
        if need.program is not None and find_program(need.program) is None:
            return f"NOT_CONFIGURED: {spec.name} needs the program {need.program}: {need.how}. {DO_NOT_ESTIMATE}"
    return None


@cache
def _brought(group: str | None) -> bool:
    return group is not None and any(entry_points(group))
