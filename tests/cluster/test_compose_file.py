"""The services of the compose file in docs/how-to/cluster.md, as processes beside a server of PostgreSQL."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from finclaw_cli.core import exits
from tests.batch.model_server import ModelServer
from tests.cluster.postgres import PostgresServer
from tests.cluster.workers import PLAIN, Machine, lines, results
from tests.docs.pages import ROOT, files_of

FILES = files_of(ROOT / "docs" / "how-to" / "cluster.md")
SERVICES: dict[str, dict[str, Any]] = yaml.safe_load(FILES["compose.yaml"])["services"]
CLUSTER = ("--cluster", "--insecure-database", "--database-url-file", "/run/secrets/worker")


@pytest.fixture
def roles(tmp_path: Path) -> Iterator[Path]:
    """A server whose administrator has run roles.sql; the folder has the addresses of the two roles."""
    server = PostgresServer()
    with server.connected("postgres") as made:
        for statement in FILES["roles.sql"].split(";\n"):
            made.execute(statement.encode())
    for secret, role in (("owner", "finclaw_owner"), ("worker", "finclaw_worker")):
        file = tmp_path / secret
        file.write_text(server.url("finclaw", role))
        file.chmod(0o600)
    yield tmp_path
    server.remove()


async def test_the_tables_are_made_and_a_batch_is_run_and_fetched(server: ModelServer, roles: Path) -> None:
    def command(*words: str) -> tuple[str, ...]:
        return tuple(word.replace("/run/secrets", str(roles)) for word in words)

    here, there = (Machine(roles / name, server.url, "unused", PLAIN) for name in ("serve", "workers"))
    code, _, err = await there.run(*command(*SERVICES["tables"]["command"]))
    assert code == exits.OK, err
    worker = await there.start(*command(*SERVICES["worker"]["command"]))
    code, out, err = await here.run(*command("batch", "-", *CLUSTER), stdin=lines("a", session="mine"))
    assert (code, [each["result"]["text"] for each in results(out)]) == (exits.OK, ["re: a"]), err
    code, _, err = await here.run(*command("batch", "fetch", *CLUSTER))
    assert (code, (here.folder / "sessions" / "mine.jsonl").exists()) == (exits.OK, True), err
    worker.send_signal(signal.SIGTERM)
    _, last = await worker.communicate()
    assert worker.returncode == exits.OK, last.decode()
