"""The sandbox of the shell, as the words with which bubblewrap is started."""

from __future__ import annotations

import os
import pwd
import shutil
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from finclaw_cli.sdk.files import Parts, Refused
from finclaw_workspace.settings import WorkspaceSettings

PROGRAM = "bwrap"
HOW = "install bubblewrap, e.g. `apt install bubblewrap`"
PRIVATE_HOME = "/tmp/home"  # noqa: S108 - in the sandbox's own memory, not this machine's
_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
_SYSTEM = ("/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
_SYSTEM_ALSO = ("/nix/store", "/gnu/store")
_ETC = (
    "alternatives", "ca-certificates", "ca-certificates.conf", "crypto-policies", "group", "ld.so.cache", "ld.so.conf",
    "ld.so.conf.d", "localtime", "mime.types", "nsswitch.conf", "passwd", "pki/ca-trust", "pki/tls/certs", "protocols",
    "services", "ssl/certs", "ssl/openssl.cnf", "terminfo", "timezone",
)  # fmt: skip
_ETC_NETWORK = ("hosts", "resolv.conf", "host.conf", "gai.conf")
# A workspace here would put the system itself, or the kernel's windows, under the command's hands.
_NEVER = ("/bin", "/boot", "/dev", "/etc", "/lib", "/lib64", "/proc", "/run", "/sbin", "/sys", "/usr")
_NEVER_WHOLE = ("/", "/home", "/media", "/mnt", "/opt", "/root", "/srv", "/tmp", "/var", "/Users")  # noqa: S108
_TMP_BYTES = 1 << 30


@dataclass(frozen=True, slots=True)
class Sandbox:
    """What one command may see and do."""

    program: str
    workspace: str
    settings: WorkspaceSettings
    hidden: tuple[Parts, ...] = ()
    """Folders inside the workspace of which nothing is to be seen: finclaw's data."""
    read_only: tuple[Parts, ...] = ()
    """What exists inside the workspace and is not to be changed."""

    def command(self, script: str, *, modern: bool) -> tuple[str, ...]:
        """The whole command; `modern` adds what bubblewrap knows since 0.8."""
        words = ["--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL"]
        words += ["--unshare-user", "--disable-userns"] if modern else []
        words += ["--share-net"] if self.settings.network else []
        words += _system(network=self.settings.network)
        # Read-only, because where root runs finclaw the command owns `/proc/sys`, and could set what the kernel runs.
        words += ["--proc", "/proc", "--remount-ro", "/proc", "--dev", "/dev"]
        words += ["--size", str(_TMP_BYTES)] if modern else []
        words += ["--tmpfs", "/tmp", "--dir", PRIVATE_HOME]  # noqa: S108 - the sandbox's own
        for folder in self.settings.read_also:
            if _within(os.path.realpath(folder), self.workspace):  # there already, and a command may have put it there
                continue
            words += ["--ro-bind-try", folder, folder]
        words += self._own()
        words += ["--remount-ro", "/", "--chdir", self.workspace]
        # No core files, so many processes, and so much memory for each; for root the kernel counts no processes.
        limits = f"-u {self.settings.max_processes}", f"-d {self.settings.max_memory_mb * 1024}"
        ulimits = "; ".join(f"ulimit {limit} 2>/dev/null" for limit in ("-c 0", *limits))
        start = f'{ulimits}; exec "$0" -c -- "$1"'
        shell = "/bin/bash" if Path("/bin/bash").exists() else "/bin/sh"
        return (self.program, *words, "--", shell, "-c", start, shell, script)

    def _own(self) -> Iterable[str]:
        bind = "--bind" if self.settings.writable else "--ro-bind"
        yield from (bind, self.workspace, self.workspace)
        if self.settings.writable:
            read_only = {parts for parts in self.read_only if not _inside(parts, self.read_only)}
            held = (*read_only, *self.hidden)
            above = {parts[:count] for parts in held for count in range(1, len(parts))} - set(held)
            above -= {parts for parts in above if _inside(parts, read_only)}  # read-only with the folder they are in
            for parts in sorted(above | read_only):
                path = "/".join((self.workspace, *parts))
                # The folders above are mounted on themselves, because what is mounted on cannot be renamed: otherwise
                # the command could move a protected thing away together with its folder, and put another there.
                yield from ("--bind" if parts in above else "--ro-bind", path, path)
        for parts in self.hidden:
            folder = "/".join((self.workspace, *parts))
            yield from ("--tmpfs", folder, "--remount-ro", folder)


def _inside(parts: Parts, folders: Iterable[Parts]) -> bool:
    return any(len(folder) < len(parts) and parts[: len(folder)] == folder for folder in folders)


def _system(*, network: bool) -> Iterable[str]:
    yield from ("--ro-bind", "/usr", "/usr")
    for folder in _SYSTEM:
        if os.path.islink(folder):  # noqa: PTH114 - text in, text out
            yield from ("--symlink", os.readlink(folder), folder)  # noqa: PTH115
        else:
            yield from ("--ro-bind-try", folder, folder)
    for folder in _SYSTEM_ALSO:
        yield from ("--ro-bind-try", folder, folder)
    for name in (*_ETC, *(_ETC_NETWORK if network else ())):
        yield from ("--ro-bind-try", f"/etc/{name}", f"/etc/{name}")


def environment(settings: WorkspaceSettings, ours: Mapping[str, str]) -> dict[str, str]:
    """The whole environment of the sandbox, and of bubblewrap itself.

    Bubblewrap's own environment can be read inside, in `/proc/1/environ`, whatever it is set to clear; and what it
    is to set is on its command line. So it is started with nothing that is not meant for the command.
    """
    passed = {name: ours[name] for name in ("LANG", "LC_ALL", "TZ", *settings.pass_env) if name in ours}
    return {"LANG": "C.UTF-8", **passed, "PATH": _PATH, "HOME": PRIVATE_HOME, "TERM": "dumb"}


def found_program(workspace: str) -> str:
    """Where bubblewrap is.

    Raises:
        Refused: nowhere, or where the model could have put it.
    """
    path = shutil.which(PROGRAM)
    if path is None:
        raise Refused("NO_SANDBOX", f"there is no {PROGRAM} on the PATH, and nothing runs outside a sandbox. Ask the "
                      f"user to {HOW}.")  # fmt: skip
    real = os.path.realpath(path)
    if not path.startswith("/") or _within(real, workspace) or _within(path, workspace):
        raise Refused("NO_SANDBOX", f"the {PROGRAM} on the PATH lies inside the workspace and is not trusted. Ask "
                      "the user to put the system's own first.")  # fmt: skip
    return path


def checked_workspace(workspace: Path, home: Path) -> str:
    """The real name of a workspace that can be given to a command.

    Raises:
        Refused: it is the home folder, a folder above one, or the system's.
    """
    real = os.path.realpath(workspace)
    if any(_within(own, real) for own in _homes()) or real in _NEVER_WHOLE or any(_within(real, top) for top in _NEVER):
        raise Refused("PROTECTED", f"the workspace is {real}, which holds more than a project, and the shell could "
                      "read or change all of it. Ask the user to start finclaw in a project's folder.")  # fmt: skip
    if _within(real, os.path.realpath(home)):
        raise Refused("PROTECTED", "the workspace lies in finclaw's own data. Ask the user to start finclaw elsewhere.")
    return real


def _homes() -> Iterable[str]:
    with suppress(RuntimeError):
        yield os.path.realpath(Path.home())
    with suppress(KeyError):  # a user whom the system does not know, as in containers
        yield os.path.realpath(pwd.getpwuid(os.getuid()).pw_dir)


def _within(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip("/") + "/")
