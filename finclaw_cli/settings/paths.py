"""Where things live on this machine."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from finclaw_cli.core.environment import environment
from finclaw_cli.core.errors import UsageError

PROJECT_FILE = ".finclaw.toml"
PROJECT_FOLDER = ".finclaw"
POLICY_FILE = "policy.toml"
PROMPT = "prompt"
SKILLS = "skills"
SESSIONS = "sessions"
CACHE = "cache"
LANES = "lanes"
BATCH_WORKERS = "batch-workers"


def home() -> Path:
    """Finclaw's data folder: the environment's, `$FINCLAW_HOME`, else the platform's state folder. Not created here."""
    current = environment()
    if current.home is not None:
        return current.home
    if given := current.variables.get("FINCLAW_HOME"):
        try:
            return Path(given).expanduser().absolute()
        except RuntimeError:  # the home of an unknown user: then it is the name of a folder
            return Path(given).absolute()
    from platformdirs import user_state_path

    return user_state_path("finclaw")


def check_home() -> None:
    """Check that no other user can change the data folder: sessions, usage, trusted plugins.

    Raises:
        UsageError: it, or its `sessions`, `cache` or `lanes`, belongs to another user or can be written by everybody;
            or one of these three is a link.
    """
    folder = home()
    if _is_safe(folder, follow=True):
        for name in (SESSIONS, CACHE, LANES):
            _is_safe(folder / name, follow=False)


def _is_safe(folder: Path, *, follow: bool) -> bool:
    """Whether a folder is there; a missing one is made as a private one later."""
    try:
        found = folder.stat(follow_symlinks=follow)
    except OSError:  # opening it reports why it cannot be used
        return False
    if stat.S_ISLNK(found.st_mode):
        raise _unsafe(f"{folder} is a link", f"Put a folder in its place: rm {folder}")
    if found.st_uid != os.geteuid():
        remedy = f"Take it over: chown {os.geteuid()} {folder}"
        raise _unsafe(f"{folder} belongs to another user (uid {found.st_uid})", remedy)
    if found.st_mode & stat.S_IWOTH:
        raise _unsafe(f"{folder} can be written by everybody", f"Make it private: chmod go-w {folder}")
    return True


def _unsafe(what: str, remedy: str) -> UsageError:
    hint = f"{remedy}, or point FINCLAW_HOME at a folder of your own."
    return UsageError(f"{what}: others could change what is kept there", hint=hint, code="unsafe_home")


def user_file() -> Path:
    """The user's settings: `config.toml` in the data folder that was named, else in the platform's config folder."""
    current = environment()
    if current.home is not None or current.variables.get("FINCLAW_HOME"):
        return home() / "config.toml"
    from platformdirs import user_config_path

    return user_config_path("finclaw") / "config.toml"


def sessions_folder() -> Path:
    """Where sessions are kept, a file each.

    Raises:
        UsageError: others can change the data folder.
    """
    check_home()
    return home() / SESSIONS


def lanes_folder() -> Path:
    """Where the runs of agents wait for each other, a folder an agent."""
    return home() / LANES


def search_file() -> Path:
    """Where the index of the words of all sessions is: a cache."""
    return home() / "search.sqlite"


def ledger_file() -> Path:
    """Where what requests cost is written down, of all sessions."""
    return home() / "ledger.db"


def user_policy_file() -> Path:
    """The user's own rules, beside the settings."""
    return user_file().with_name(POLICY_FILE)


def skill_folders(start: Path) -> list[tuple[Path, str]]:
    """Where the user's and the nearest project's skills are, each with whose they are; only those that are there."""
    return _folders(start, SKILLS)


def prompt_folders(start: Path) -> list[tuple[Path, str]]:
    """The same for files with sections of the system prompt."""
    return _folders(start, PROMPT)


def _folders(start: Path, name: str) -> list[tuple[Path, str]]:
    own, project = user_file().with_name(name), _nearest(start, Path(PROJECT_FOLDER) / name)
    places = [(own, "user")] if _is_there(own) else []
    return [*places, (project, "project")] if project else places


def project_file(start: Path) -> Path | None:
    """The nearest `.finclaw.toml` from `start` upwards, as far as the home folder or the root."""
    return _nearest(start, Path(PROJECT_FILE))


def project_policy_file(start: Path) -> Path | None:
    """The nearest `.finclaw/policy.toml`, looked for in the same way."""
    return _nearest(start, Path(PROJECT_FOLDER) / POLICY_FILE)


def _nearest(start: Path, name: Path) -> Path | None:
    for folder in (start, *start.parents):
        if _is_there(folder / name):
            return folder / name
        if folder == Path.home():
            return None
    return None


def _is_there(path: Path) -> bool:
    """Whether there is something, or there may be: what cannot be looked at is reported when it is read."""
    try:
        path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        return True
    return True
