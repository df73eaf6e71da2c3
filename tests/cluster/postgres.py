"""A PostgreSQL server of the tests' own, in a temporary folder, as a user without privileges."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from pathlib import Path

import psycopg

OWNER = "owner"
_UNPRIVILEGED = 65534
WORKER = "worker"
"""May use the tables, and not change what they are."""
_SETTINGS = {
    "listen_addresses": "127.0.0.1",
    "fsync": "off",  # it survives kills all the same
    "max_connections": "200",
    "log_min_messages": "fatal",
}


class PostgresServer:
    """A server on 127.0.0.1; may be killed and started again.

    Args:
        **settings: of the server, in place of those of tests.
    """

    def __init__(self, **settings: str) -> None:
        self._user = _user()
        self._folder = Path(tempfile.mkdtemp(prefix="finclaw-postgres-", dir="/tmp"))
        if self._user is not None:
            os.chown(self._folder, self._user.pw_uid, self._user.pw_gid)
        with socket.create_server(("127.0.0.1", 0)) as probe:
            self.port: int = probe.getsockname()[1]
        self._run("initdb", "--auth=trust", f"--username={OWNER}", "--no-sync", "-E", "UTF8", "--locale=C.UTF-8")
        with (self._folder / "data" / "postgresql.conf").open("a") as file:
            file.writelines(f"{name} = '{value}'\n" for name, value in {**_SETTINGS, **settings}.items())
            file.write(f"port = {self.port}\nunix_socket_directories = '{self._folder}'\n")
        self.start()
        with self.connected("postgres") as made:
            made.execute(f"CREATE ROLE {WORKER} LOGIN")

    def start(self) -> None:
        self._run("pg_ctl", "-w", "-l", str(self._folder / "log"), "start")

    def stop(self, mode: str = "immediate") -> None:
        """Stop it; `immediate` is as a crash."""
        self._run("pg_ctl", "-w", "-m", mode, "stop")

    def restart(self) -> None:
        self.stop()
        self.start()

    def offer_tls(self, certificate: Path, key: Path) -> None:
        """Take connections with TLS, beside those without."""
        for file, name in ((certificate, "server.crt"), (key, "server.key")):
            copied = Path(shutil.copy(file, self._folder / "data" / name))
            copied.chmod(0o600)
            if self._user is not None:
                os.chown(copied, self._user.pw_uid, self._user.pw_gid)
        with self.connected("postgres") as made:
            made.execute("ALTER SYSTEM SET ssl = on")
            made.execute("SELECT pg_reload_conf()")

    def remove(self) -> None:
        self.stop()
        shutil.rmtree(self._folder)

    @property
    def pid(self) -> int:
        """Of its first process."""
        return int((self._folder / "data" / "postmaster.pid").read_text().split(maxsplit=1)[0])

    def url(self, database: str, role: str = WORKER) -> str:
        return f"postgresql://{role}@127.0.0.1:{self.port}/{database}"

    def connected(self, database: str, role: str = OWNER) -> psycopg.Connection[tuple[object, ...]]:
        return psycopg.connect(self.url(database, role), autocommit=True)

    def _run(self, program: str, *arguments: str) -> None:
        environment = {"PATH": os.environ["PATH"], "PGDATA": str(self._folder / "data"), "LC_ALL": "C.UTF-8"}
        user = {} if self._user is None else {"user": self._user.pw_uid, "group": self._user.pw_gid, "extra_groups": []}
        ran = subprocess.run(
            [_program(program), *arguments], env=environment, cwd=self._folder, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, check=False, timeout=120, **user,
        )  # fmt: skip
        if ran.returncode:
            raise RuntimeError(f"{program}: {ran.stdout.decode()}")


def _user() -> pwd.struct_passwd | None:
    """The user that the server runs as: it refuses root."""
    if os.geteuid():
        return None
    known = {each.pw_name: each for each in pwd.getpwall()}
    return known.get("postgres") or pwd.getpwuid(_UNPRIVILEGED)


def _program(name: str) -> str:
    """A program of the newest installed server, which Debian keeps out of PATH."""
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name), reverse=True)
    found = next((path for path in (folder / name for folder in folders) if path.exists()), None)
    return str(found) if found is not None else shutil.which(name) or name
