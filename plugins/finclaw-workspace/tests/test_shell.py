from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from folders import names
from sandboxes import needs_sandbox, sleeping

from finclaw_cli.testing.tools import run_tool_async
from finclaw_workspace.shelling import shell

ToolText = Callable[..., str]
CANARIES = {name: f"sk-CANARY-{name}" for name in ("ANTHROPIC_API_KEY", "OPENAI_API_KEY", "MY_TOKEN")}


@pytest.fixture(autouse=True)
def keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in CANARIES.items():
        monkeypatch.setenv(name, value)


@needs_sandbox
def test_a_command_runs_in_the_workspace(ok: ToolText, workspace: Path) -> None:
    (workspace / "a").write_text("x")
    assert ok(shell, command="pwd; ls a; echo done > b") == f"exit code 0\n--- stdout\n{workspace}\na"
    assert (workspace / "b").read_text() == "done\n"
    assert names(workspace) == ["a", "b"]


@needs_sandbox
def test_a_command_may_begin_with_a_dash(ok: ToolText) -> None:
    assert ok(shell, command="-x").startswith("exit code 127")


@needs_sandbox
def test_the_kernels_settings_are_out_of_reach(ok: ToolText) -> None:
    # Root is root in there, too; the same value is written, so that nothing changes where this fails.
    said = ok(
        shell,
        command="for f in /proc/sys/kernel/core_pattern /proc/sys/vm/swappiness; do v=$(cat $f);"
        ' echo "$v" > $f && echo WROTE; done; mount -t tmpfs none /mnt && echo WROTE; mknod /tmp/d b 8 0 && echo WROTE;'
        " chroot / true && echo WROTE; unshare -Ur true && echo WROTE; ls /sys && echo WROTE; echo DONE",
    )
    assert "DONE" in said
    assert "WROTE" not in said


@needs_sandbox
def test_a_failure_is_a_result(ok: ToolText) -> None:
    assert ok(shell, command="echo no >&2; exit 3") == "exit code 3 (failed)\n--- stderr\nno"
    assert ok(shell, command="kill -9 $$").startswith("exit code 137 (ended by signal 9)")
    assert ok(shell, command="exit 200").startswith("exit code 200 (failed)")
    assert ok(shell, command="true") == "exit code 0\n[no output]"


@needs_sandbox
def test_no_key_is_seen(ok: ToolText) -> None:
    said = ok(
        shell,
        command="env; cat /proc/self/environ /proc/1/environ /proc/*/environ /proc/*/cmdline /proc/*/task/*/environ"
        " 2>/dev/null | tr '\\0' '\\n'; ps aux 2>/dev/null; ls /proc | grep -c '^[0-9]'",
    )
    assert "PATH=" in said
    assert "CANARY" not in said
    assert "API_KEY" not in said


@needs_sandbox
def test_only_named_variables_are_passed_and_not_on_a_command_line(ok: ToolText) -> None:
    said = ok(shell, {"pass_env": ["MY_TOKEN", "ABSENT"]}, command="echo $MY_TOKEN; cat /proc/*/cmdline | tr '\\0' ' '")
    lines = said.splitlines()
    assert lines[2] == CANARIES["MY_TOKEN"]
    assert "CANARY" not in "".join(lines[3:])


CONNECT = """
import socket
for kind, target in ((socket.SOCK_STREAM, ("127.0.0.1", {port})), (socket.SOCK_DGRAM, ("1.1.1.1", 53)),
                     (socket.SOCK_STREAM, ("1.1.1.1", 443))):
    with socket.socket(socket.AF_INET, kind) as s:
        s.settimeout(2)
        try:
            s.connect(target); s.send(b"x"); print("SENT", target)
        except OSError as error:
            print("refused", error.errno)
"""


@needs_sandbox
@pytest.mark.parametrize("network", [False, True])
def test_the_network_is_off_unless_the_user_says_so(ok: ToolText, workspace: Path, network: bool) -> None:
    import socket

    if not Path("/usr/bin/python3").exists():
        pytest.skip("no Python among the system's programs")
    with socket.create_server(("127.0.0.1", 0)) as server:
        (workspace / "c.py").write_text(CONNECT.format(port=server.getsockname()[1]))
        said = ok(shell, {"network": network}, command="/usr/bin/python3 c.py")
    assert ("SENT ('127.0.0.1'" in said) == network
    if not network:
        assert said.count("refused") == 3
        assert "SENT" not in said


@needs_sandbox
def test_nothing_else_is_readable(ok: ToolText, workspace: Path, secret: Path, finclaw_home: Path) -> None:
    (finclaw_home / "session").write_text("CANARY")
    home = Path.home()
    said = ok(
        shell,
        command=f"cat {secret}; cat ../outside/secret.txt; ls -A {home}; ls -A ~/.ssh /root /home {secret.parent};"
        f" cat {finclaw_home}/session; ls -A ..; cat /etc/shadow; cat /proc/1/root{secret}; echo DONE",
    )
    assert "DONE" in said
    assert "CANARY" not in said
    assert "secret.txt\n" not in said.partition("--- stderr")[0]


@needs_sandbox
def test_nothing_outside_is_writable(ok: ToolText, workspace: Path, secret: Path) -> None:
    said = ok(shell, command=f"for f in /x /usr/x /etc/x {secret}; do echo x > $f && echo WROTE; done; echo x > ../x")
    assert "WROTE" not in said
    assert secret.read_text() == "CANARY\n"
    assert "x" not in names(workspace.parent)


@needs_sandbox
def test_further_folders_can_be_read(ok: ToolText, secret: Path) -> None:
    said = ok(shell, {"read_also": [str(secret.parent), "/nonexistent/x"]}, command=f"cat {secret}; echo x > {secret}")
    assert "CANARY" in said
    assert "Read-only" in said
    assert secret.read_text() == "CANARY\n"


@needs_sandbox
@pytest.mark.usefixtures("left_clean")
def test_nothing_lives_on(ok: ToolText, refused: ToolText, workspace: Path) -> None:
    mark = f"31{os.getpid()}"
    background = f"(trap '' TERM HUP INT; exec sleep {mark}) & setsid nohup sleep {mark} >/dev/null 2>&1 &"
    ok(shell, command=f"{background} echo started")
    assert sleeping(mark) == []
    said = refused(shell, command=f"{background} trap '' TERM; sleep {mark}", timeout_s=1)
    assert said.startswith("TIMED_OUT: the command and all it had started were ended after 1 s")
    assert sleeping(mark) == []


@needs_sandbox
@pytest.mark.usefixtures("left_clean")
async def test_a_cancelled_command_is_gone(workspace: Path, finclaw_home: Path) -> None:
    mark = f"32{os.getpid()}"
    call = run_tool_async(shell, {"command": f"trap '' TERM; sleep {mark}; sleep {mark}"}, workspace=workspace)
    running = asyncio.create_task(call)
    for _ in range(100):
        await asyncio.sleep(0.05)
        if sleeping(mark):
            break
    assert sleeping(mark)
    running.cancel()
    await asyncio.wait([running], timeout=5)
    assert sleeping(mark) == []


@needs_sandbox
def test_much_output_is_cut(ok: ToolText) -> None:
    said = ok(shell, command="echo first; head -c 9000000 /dev/zero | tr '\\0' x; echo; echo last >&2")
    assert len(said) < 32_000
    assert "first" in said
    assert "last" in said
    assert "characters left out" in said
    assert "the rest was dropped" in said


@needs_sandbox
def test_bytes_that_are_no_text(ok: ToolText) -> None:
    assert "a\ufffdb" in ok(shell, command="printf 'a\\377b'")
