"""Make what is made from the code: reference pages, manual pages, completions, options of `Agent`, plugins' manifests.

python .ci/generate.py            write them
python .ci/generate.py --check    say what is out of date, and fail
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from agent_options import setting_options
from api_reference import class_fields, module_reference
from command_pages import manual_pages, reference

from finclaw_cli.cli.app import COMMANDS
from finclaw_cli.core.events.lines import event_classes
from finclaw_cli.core.exits import MEANINGS
from finclaw_cli.core.json_text import dump_line, jsonable
from finclaw_cli.engine.state_machine import MOVES
from finclaw_cli.output.schema import summary
from finclaw_cli.plugin_host.first_party import DIGESTS, RELEASE, file_digest, package_digest, without_folder
from finclaw_cli.plugin_host.isolated_process import run_isolated
from finclaw_cli.settings.model import TABLES, Settings, declarations, variable

ROOT = Path(__file__).parents[1]
REFERENCE_PAGES = ROOT / "docs" / "reference"
MANUAL = ROOT / "docs" / "man"
AGENT_MODULES = ("finclaw_cli.agent", "finclaw_cli.batch", "finclaw_cli.errors", "finclaw_cli.events")
SDK_MODULES = (
    "finclaw_cli.sdk",
    *(
        f"finclaw_cli.sdk.{name}"
        for name in (
            "store",
            "http",
            "files",
            "tabular",
            "xml",
            "render",
            "settings",
            "toolsets",
            "sessions",
            "front",
            "jsonrpc",
            "listener",
            "periods",
            "months",
        )
    ),
    *(f"finclaw_cli.testing.{name}" for name in ("contract", "growth", "runs", "tools")),
)
OPTIONS = ROOT / "finclaw_cli" / "agent" / "setting_options.py"
PROBE_S = 60.0
SHELLS = {"bash": "finclaw.bash", "zsh": "_finclaw", "fish": "finclaw.fish", "powershell": "finclaw.ps1"}


def commands() -> list[str]:
    """The table of commands."""
    rows = [f"| `finclaw {name}` | {text} |" for name, (_, text) in COMMANDS.items()]
    return ["| command | what it does |", "|---|---|", *rows]


def settings() -> list[str]:
    """The table of settings."""
    rows = []
    for name, declared in declarations().items():
        default = "" if name in TABLES else f"`{dump_line(jsonable(getattr(Settings(), name)))}`"
        env = "`FINCLAW_PLUGINS` (`only`)" if name == "plugins" else "" if name in TABLES else f"`{variable(name)}`"
        project = {"lower": "lower", "any": "yes", "no": ""}[declared.project]
        rows.append(f"| `{name}` | {env} | {default} | {project} | {declared.description} |")
    return ["| setting | variable | default | in a project file | what |", "|---|---|---|---|---|", *rows]


def events() -> list[str]:
    """The table of events."""
    rows = [f"| [`{name}`](#{_anchor(name)}) | {summary(event)} |" for name, event in event_classes().items()]
    return ["| event | meaning |", "|---|---|", *rows]


def moves() -> list[str]:
    """The table of the moves of a run's states."""
    rows = [f"| `{source}` | `{target}` | {when} |" for (source, target), when in MOVES.items()]
    return ["| from | to | when |", "|---|---|---|", *rows]


def event_fields() -> list[str]:
    """The fields of each event."""
    lines = []
    for name, event in event_classes().items():
        about = " ".join((event.__doc__ or "").split())
        lines += [f"### {name}", "", about, "", *class_fields(event.__module__, event.__name__)]
    return lines[:-1]


def _anchor(name: str) -> str:
    """The anchor of a heading: GitHub and the site make the same of it."""
    return name.replace(".", "")


def exits() -> list[str]:
    """The table of exit codes."""
    rows = [f"| {code} | {meaning} | {status} |" for code, (meaning, status) in MEANINGS.items()]
    return ["| code | meaning | `status` |", "|---|---|---|", *rows]


def agent_api() -> list[str]:
    """The reference of `Agent`."""
    return [line for module in AGENT_MODULES for line in module_reference(module)][:-1]


def sdk_api() -> list[str]:
    """The reference of what plugins import."""
    return [line for module in SDK_MODULES for line in module_reference(module)][:-1]


REFERENCE: dict[str, tuple[Callable[[], list[str]], ...]] = {
    "commands.md": (commands, reference),
    "settings.md": (settings,),
    "events.md": (events, moves, event_fields),
    "exit-codes.md": (exits,),
    "agent.md": (agent_api,),
    "sdk.md": (sdk_api,),
}
"""What is made of each page of `docs/reference`, between two comments."""


def page(path: Path, makers: Iterable[Callable[[], list[str]]]) -> str:
    """A page with its generated parts made anew."""
    text = path.read_text("utf-8")
    for make in makers:
        block = f"<!-- generated: {make.__name__} -->\n\n" + "\n".join(make()) + "\n\n<!-- end -->"
        head, mark, rest = text.partition(f"<!-- generated: {make.__name__} -->")
        if not mark:
            raise SystemExit(f"{path.name} has no place for {make.__name__}")
        text = head + block + rest.partition("<!-- end -->")[2]
    return text


def completion(shell: str) -> str:
    """The completion script of one shell."""
    environment = {**os.environ, "_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"}
    command = [sys.executable, "-m", "finclaw_cli", "--show-completion", shell]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return done.stdout.rstrip() + "\n"


def release() -> dict[Path, str]:
    """The digests of finclaw's own plugins, and what each offers; their libraries have to be installed."""
    digests: dict[str, str] = {}
    made: dict[Path, str] = {}
    for project in sorted((ROOT / "plugins").glob("finclaw-*")):
        (package,) = (folder for folder in (project / "src").iterdir() if (folder / "__init__.py").exists())
        digests[project.name] = package_digest(package, file_digest)
        made[RELEASE / f"{project.name}.json"] = _json(_offers(project, package))
    return {RELEASE / DIGESTS: _json(digests), **made}


def _offers(project: Path, package: Path) -> dict[str, Any]:
    os.environ["PYTHONPATH"] = str(project / "src")
    declared = tomllib.loads((project / "pyproject.toml").read_text("utf-8"))["project"]["entry-points"]["finclaw"]
    ended = run_isolated("finclaw_cli.plugin_host.probe", list(declared.values()), PROBE_S, [str(project / "src")])
    offers: dict[str, Any] = json.loads(ended.report)
    if "error" in offers:
        raise SystemExit(f"{project.name}: {offers['error']}")
    return without_folder(offers, str(package))


def _json(content: object) -> str:
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"


def main() -> int:
    """Write what is out of date, or say so."""
    made = {OPTIONS: setting_options(), **release()}
    made |= {REFERENCE_PAGES / name: page(REFERENCE_PAGES / name, makers) for name, makers in REFERENCE.items()}
    made |= {MANUAL / name: text for name, text in manual_pages().items()}
    made |= {ROOT / "completions" / name: completion(shell) for shell, name in SHELLS.items()}
    stale = [path for path, text in made.items() if not path.exists() or path.read_text("utf-8") != text]
    for path in stale:
        if "--check" in sys.argv:
            print(f"out of date: {path.relative_to(ROOT)}; run python .ci/generate.py")
        else:
            path.write_text(made[path], encoding="utf-8")
    return 1 if stale and "--check" in sys.argv else 0


if __name__ == "__main__":
    sys.exit(main())
