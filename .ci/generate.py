"""Make what is made from the code: the README's tables and the completion scripts.

python .ci/generate.py            write them
python .ci/generate.py --check    say what is out of date, and fail
"""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

from finclaw_cli.cli.app import COMMANDS
from finclaw_cli.core.event_lines import event_classes
from finclaw_cli.core.exits import MEANINGS
from finclaw_cli.core.json_text import dump_line, jsonable
from finclaw_cli.output.schema import summary
from finclaw_cli.settings.model import LIMITS, PROJECT_MAY_SET, TABLES, Settings, variable

ROOT = Path(__file__).parents[1]
SHELLS = {"bash": "finclaw.bash", "zsh": "_finclaw", "fish": "finclaw.fish", "powershell": "finclaw.ps1"}


def commands() -> list[str]:
    """The table of commands."""
    rows = [f"| `finclaw {name}` | {text} |" for name, (_, text) in COMMANDS.items()]
    return ["| command | what it does |", "|---|---|", *rows]


def settings() -> list[str]:
    """The table of settings."""
    rows = []
    for field in fields(Settings):
        name = field.name
        default = "" if name in TABLES else f"`{dump_line(jsonable(getattr(Settings(), name)))}`"
        env = "`FINCLAW_PLUGINS` (`only`)" if name == "plugins" else "" if name in TABLES else f"`{variable(name)}`"
        project = "lower" if name in LIMITS else "yes" if name in PROJECT_MAY_SET else ""
        rows.append(f"| `{name}` | {env} | {default} | {project} | {field.metadata['description']} |")
    return ["| setting | variable | default | in a project file | what |", "|---|---|---|---|---|", *rows]


def events() -> list[str]:
    """The table of events."""
    rows = [f"| `{name}` | {summary(event)} |" for name, event in event_classes().items()]
    return ["| event | what it says |", "|---|---|", *rows]


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


def main() -> int:
    """Write what is out of date, or say so."""
    made = {ROOT / "README.md": readme()}
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
