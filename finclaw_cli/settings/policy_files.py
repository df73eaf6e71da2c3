"""The policy's files: the user's, the project's, and those named for this run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from finclaw_cli.core.environment import environment
from finclaw_cli.core.errors import UsageError
from finclaw_cli.core.record import record
from finclaw_cli.policy.rules import HINT, Level, PolicyRule
from finclaw_cli.settings.load import read_file
from finclaw_cli.settings.paths import project_policy_file, user_policy_file


@record(kw_only=True)
class LoadedPolicy:
    """All rules, the files they came from, and what was left out."""

    rules: tuple[PolicyRule, ...]
    files: tuple[str, ...]
    warnings: tuple[str, ...]


def load_policy(named: Iterable[str], folder: Path | None = None) -> LoadedPolicy:
    """Read the user's file, the nearest project's, and the named ones; later ones add.

    A project's rules can only make the policy stricter: its allow rules are left out, with a warning.

    Raises:
        UsageError: a file is broken, or a named one is not there. A run must then not begin: a rule that was not
            read allows too much.
    """
    rules: list[PolicyRule] = []
    files: list[str] = []
    warnings: list[str] = []
    for path, level in _places(named, folder or environment().workspace):
        text = read_file(path)
        if text is None:
            if level == "option":
                raise UsageError(f"--policy {path}: no such file", hint=HINT, code="bad_policy")
            continue
        from finclaw_cli.policy.parse import parse_rules  # which imports what checks them, where there are any

        found = parse_rules(text, origin=str(path), level=level)
        kept = tuple(rule for rule in found if not (rule.only_tightens and rule.verdict == "allow"))
        if len(kept) < len(found):
            warnings.append(f"{path}: ignored {len(found) - len(kept)} allow rules: a project can only forbid")
        rules.extend(kept)
        files.append(str(path))
    return LoadedPolicy(rules=tuple(rules), files=tuple(files), warnings=tuple(warnings))


def _places(named: Iterable[str], folder: Path) -> Iterator[tuple[Path, Level]]:
    yield user_policy_file(), "user"
    if project := project_policy_file(folder):
        yield project, "project"
    for name in named:
        yield folder.absolute() / policy_path(name), "option"


def policy_path(name: str) -> Path:
    """A policy file as it was named.

    Raises:
        UsageError: by nothing, as an unset variable of a shell does it.
    """
    if not name.strip():
        raise UsageError("the name of the policy file is empty", hint=HINT, code="bad_policy")
    return Path(name).expanduser()
