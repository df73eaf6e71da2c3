"""Make what is made from the code: README tables, completion scripts, options of `Agent`, what our plugins offer.

python .ci/generate.py            write them
python .ci/generate.py --check    say what is out of date, and fail
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

from agent_options import setting_options

from finclaw_cli.cli.app import COMMANDS
from finclaw_cli.core.events.lines import event_classes
from finclaw_cli.core.exits import MEANINGS
from finclaw_cli.core.json_text import dump_line, jsonable
from finclaw_cli.output.schema import summary
from finclaw_cli.plugin_host.first_party import DIGESTS, RELEASE, file_digest, package_digest, without_folder
from finclaw_cli.plugin_host.isolated_process import run_isolated
from finclaw_cli.settings.model import TABLES, Settings, declarations, variable

ROOT = Path(__file__).parents[1]
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
    rows = [f"| `{name}` | {summary(event)} |" for name, event in event_classes().items()]
    return ["| event | meaning |", "|---|---|", *rows]


def exits() -> list[str]:
    """The table of exit codes."""
    rows = [f"| {code} | {meaning} | {status} |" for code, (meaning, status) in MEANINGS.items()]
    return ["| code | meaning | `status` |", "|---|---|---|", *rows]


def readme() -> str:
    """The README with its tables made anew."""
    text = (ROOT / "README.md").read_text("utf-8")
    for make in (commands, settings, events, exits):
        block = f"<!-- generated: {make.__name__} -->\n" + "\n".join(make()) + "\n<!-- end -->"
        head, _, rest = text.partition(f"<!-- generated: {make.__name__} -->")
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
    made = {ROOT / "README.md": readme(), OPTIONS: setting_options(), **release()}
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
