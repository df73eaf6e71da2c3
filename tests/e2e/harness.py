"""Running the command as a user would: a process, its streams, its exit code."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema_rs

from finclaw_cli.output.schema import line_schema
from tests.e2e.in_process import in_main_thread, only_reads, run_in_process
from tests.e2e.warm import WarmProcess, run_warm
from tests.e2e.warm_server import Before, Command

COMMAND = (sys.executable, "-m", "finclaw_cli")
ROOT = Path(__file__).parents[2]
KEPT = {"PATH", "LANG", "HOME", "TMPDIR"}
PATIENCE_S = 60


def wait_until(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def refuse_constant(name: str) -> None:
    raise AssertionError(f"{name} is not JSON")


@cache
def validator() -> Any:
    return jsonschema_rs.validator_for(line_schema())


@dataclass(frozen=True)
class Ran:
    """What a process left behind."""

    code: int
    stdout: bytes
    stderr: str

    @property
    def text(self) -> str:
        return self.stdout.decode()

    @property
    def lines(self) -> list[dict[str, Any]]:
        """The NDJSON lines, each checked: ASCII, strict JSON, valid by the schema, numbered without gaps."""
        return checked_lines(self.stdout)

    @property
    def result(self) -> dict[str, Any]:
        """The last line, which must be the result and must say the exit code of the process."""
        last = self.lines[-1]
        assert last["type"] == "agent.result", last
        assert self.lines[0]["type"] == "agent.start", self.lines[0]
        assert last["exit_code"] == (self.code if self.code >= 0 else 128 - self.code)
        return last

    def of(self, kind: str) -> list[dict[str, Any]]:
        return [line for line in self.lines if line["type"] == kind]


def checked_lines(stdout: bytes) -> list[dict[str, Any]]:
    assert stdout.endswith(b"\n"), stdout[-200:]
    lines = [json.loads(line, parse_constant=refuse_constant) for line in stdout.decode("ascii").splitlines()]
    for place, line in enumerate(lines):
        assert line["seq"] == place
        assert list(line)[:5] == ["v", "type", "seq", "ts", "run_id"]
        validator().validate(line)
    return lines


def environment(home: Path, extra: Mapping[str, str] | None = None, plugins: Path | None = None) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name in KEPT or name.startswith("COVERAGE_")}
    paths = [str(ROOT)] + ([str(plugins)] if plugins else [])
    return {
        **kept,
        "PYTHONPATH": os.pathsep.join(paths),
        "FINCLAW_HOME": str(home),
        "FINCLAW_PLUGINS": "finclaw-kit",
        "FINCLAW_RETRY_BASE": "0.01",
        "FINCLAW_RETRY_CAP": "0.05",
        **(extra or {}),
    }


@dataclass(frozen=True)
class Finclaw:
    """The command in one home, with the test plugin installed."""

    home: Path
    plugins: Path
    cwd: Path
    started: list[subprocess.Popen[bytes]] = field(default_factory=list)
    variables: Mapping[str, str] = field(default_factory=dict)
    """What is in the environment of each process besides."""
    before: Before | None = None
    """Called in each process that runs to its end, before the command begins."""

    def env(self, extra: Mapping[str, str] | None = None) -> dict[str, str]:
        return environment(self.home, {**self.variables, **(extra or {})}, self.plugins)

    def __call__(
        self,
        *arguments: str,
        stdin: bytes | None = b"",
        env: Mapping[str, str] | None = None,
        timeout: float = PATIENCE_S,
    ) -> Ran:
        """Run the command to its end: one that reads and lists here, any other in a warm process."""
        if self.before is None and in_main_thread() and only_reads(arguments):
            code, stdout, stderr = run_in_process(arguments, env=self.env(env), cwd=self.cwd, stdin=stdin)
            return Ran(code, stdout, stderr.decode())
        code, stdout, stderr = run_warm(
            arguments, env=self.env(env), cwd=self.cwd, timeout_s=timeout, stdin=stdin, before=self.before
        )
        return Ran(code, stdout, stderr.decode())

    def cold(
        self,
        *arguments: str,
        stdin: bytes | None = b"",
        env: Mapping[str, str] | None = None,
        timeout: float = PATIENCE_S,
    ) -> Ran:
        """The same in a process that starts from nothing, with pipes for its streams."""
        done = subprocess.run(
            [*COMMAND, *arguments],
            input=stdin,
            stdin=subprocess.DEVNULL if stdin is None else None,
            capture_output=True,
            env=self.env(env),
            cwd=self.cwd,
            timeout=timeout,
            check=False,
        )
        return Ran(done.returncode, done.stdout, done.stderr.decode())

    def start(
        self, *arguments: str, env: Mapping[str, str] | None = None, new_session: bool = False, **streams: Any
    ) -> subprocess.Popen[bytes]:
        """Start the command in a warm process."""
        command = Command(arguments, self.env(env), self.cwd, new_session=new_session)
        return self._started(WarmProcess(command, **_piped(streams)))

    def start_cold(
        self, *arguments: str, env: Mapping[str, str] | None = None, **streams: Any
    ) -> subprocess.Popen[bytes]:
        """The same in a process that starts from nothing."""
        command = [*COMMAND, *arguments]
        return self._started(subprocess.Popen(command, env=self.env(env), cwd=self.cwd, **_piped(streams)))

    def _started(self, process: subprocess.Popen[bytes]) -> subprocess.Popen[bytes]:
        self.started.append(process)
        return process

    def shell(self, command: str) -> subprocess.CompletedProcess[bytes]:
        """Run a line of bash in which `$FINCLAW` is the command."""
        env = self.env({"FINCLAW": " ".join(COMMAND)})
        return subprocess.run(
            ["bash", "-c", command], env=env, cwd=self.cwd, capture_output=True, timeout=PATIENCE_S, check=False
        )

    def clean_up(self) -> None:
        for process in self.started:
            process.kill()
            process.wait()
            for stream in (process.stdin, process.stdout, process.stderr):
                if stream is not None:
                    stream.close()

    def script(self, *turns: Mapping[str, Any], name: str = "script.json") -> str:
        """Write a script and return the model that plays it."""
        path = self.cwd / name
        path.write_text(json.dumps({"turns": list(turns)}), encoding="utf-8")
        return f"scripted:{path}"


def _piped(streams: dict[str, Any]) -> dict[str, Any]:
    """Streams of a process: pipes, where nothing else is given."""
    # Without a buffer: `communicate` would lose what a buffer of `readline` holds.
    return {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "bufsize": 0, **streams}


def install_module(
    folder: Path, dist: str, source: str, *, module: str | None = None, version: str = "1.0", group: str = "finclaw"
) -> None:
    """Put a plugin where Python finds it, as an installer would: the module, and metadata with the entry point."""
    module = module or dist.replace("-", "_")
    (folder / f"{module}.py").write_text(source, encoding="utf-8")
    info = folder / f"{dist.replace('-', '_')}-{version}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {dist}\nVersion: {version}\n")
    (info / "entry_points.txt").write_text(f"[{group}]\n{dist} = {module}\n")
    (info / "RECORD").write_text(f"{module}.py,,\n{info.name}/METADATA,,\n{info.name}/entry_points.txt,,\n")


def call(name: str, **arguments: Any) -> dict[str, Any]:
    """A scripted tool call."""
    return {"name": name, "input": arguments}


def ended(lines: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """How each call ended, by its name; asserts one `requested` and one end for each."""
    open_calls: dict[str, str] = {}
    ends: dict[str, str] = {}
    for line in lines:
        if line["type"] != "agent.tool_call" or line["status"] == "announced":
            continue
        if line["status"] == "requested":
            assert line["call_id"] not in open_calls
            open_calls[line["call_id"]] = line["name"]
        elif line["status"] != "running":
            assert open_calls.pop(line["call_id"]) == line["name"]
            ends[line["name"]] = line["status"]
    assert not open_calls
    return ends
