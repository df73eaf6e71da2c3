"""`shell`: a command in a sandbox that holds the workspace and the system's programs, and nothing else."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from finclaw_cli.sdk import PROTECTED_NAMES, Need, PlainText, ProcessEnd, ToolContext, ToolError, run_process, tool
from finclaw_cli.sdk.files import Parts, Refused, Root, refusals_as_errors
from finclaw_workspace.calls import checked, protected_in
from finclaw_workspace.guards import Hold, present
from finclaw_workspace.sandbox import HOW, PROGRAM, Sandbox, checked_workspace, environment, found_program
from finclaw_workspace.settings import settings_of

_TIMEOUT_S = 120
_MAX_COMMAND = 50_000
_KEPT_BYTES = 4_000_000
_HEAD, _TAIL = 8_000, 22_000
_SIGNALS, _LAST_SIGNAL = 128, 64


def preview_shell(command: str, ctx: ToolContext, timeout_s: int = _TIMEOUT_S) -> str:
    """What `shell` would run, and what it is allowed."""
    settings = settings_of(ctx)
    changes = "can be changed" if settings.writable else "is read-only"
    also = f"; read-only: {', '.join(settings.read_also)}" if settings.read_also else ""
    passed = f"; variables: {', '.join(settings.pass_env)}" if settings.pass_env else ""
    never = ", ".join([*sorted(PROTECTED_NAMES), *settings.protected])
    return (
        f"$ {command}\n"
        f"in a sandbox, for at most {timeout_s} s, {settings.max_processes} processes and {settings.max_memory_mb} MB "
        f"for each: {ctx.workspace} {changes}, but for {never}{also}; nothing else of "
        f"your files is visible; network: {'ON' if settings.network else 'off'}{passed}"
    )


@tool(
    group="system",
    requires_approval=True,
    serial=True,
    timeout=_TIMEOUT_S,
    preview=preview_shell,
    needs=(Need(program=PROGRAM, how=HOW),),
)
async def shell(command: str, ctx: ToolContext, timeout_s: int = _TIMEOUT_S) -> PlainText:
    """Run a command with bash in the workspace, in a sandbox: no other files of the user; by default no network.

    Args:
        command: what to run; nothing of it goes on afterwards, not even in the background.
        ctx: given by finclaw.
        timeout_s: end it after so many seconds, up to 120.
    """
    checked("timeout_s", timeout_s, 1, _TIMEOUT_S)
    if not command.strip() or len(command) > _MAX_COMMAND or "\0" in command:
        raise ToolError(f"BAD_INPUT: the command is empty or longer than {_MAX_COMMAND:,} characters. Give another.")
    with refusals_as_errors():
        async with _sandbox(ctx) as sandbox:
            modern = await _works(sandbox)
            try:
                async with asyncio.timeout(timeout_s):
                    ended = await _run(sandbox, command, modern=modern)
            except TimeoutError as error:
                raise Refused("TIMED_OUT", f"the command and all it had started were ended after {timeout_s} s; what "
                              "it wrote is lost. Give it less to do, or write to a file.") from error  # fmt: skip
    return PlainText(_text(ended))


@asynccontextmanager
async def _sandbox(ctx: ToolContext) -> AsyncIterator[Sandbox]:
    """The sandbox for one command, with what must not change held in its place meanwhile."""
    settings = settings_of(ctx)
    workspace = checked_workspace(ctx.workspace, ctx.home)
    program = found_program(workspace)
    protected = protected_in(ctx.workspace, settings)
    with Root(Path(workspace), hidden=(ctx.home,)) as root, root.folder(".") as top:
        wanted = (*((name,) for name in sorted(PROTECTED_NAMES)), *protected) if settings.writable else ()
        async with _held(Hold(top.fd, workspace, ctx.home, wanted)) as standing:
            there = await asyncio.to_thread(present, root, top, protected) if settings.writable else ()
            yield Sandbox(program, workspace, settings, root.hidden, tuple(dict.fromkeys((*there, *standing))))


@asynccontextmanager
async def _held(hold: Hold) -> AsyncIterator[tuple[Parts, ...]]:
    # In a thread, because it waits; to its end, because only then it can be undone.
    entering = asyncio.create_task(asyncio.to_thread(hold.enter))
    try:
        standing = await asyncio.shield(entering)
    except asyncio.CancelledError:
        hold.given_up = True
        await asyncio.wait([entering])
        if entering.exception() is None:
            hold.leave()
        raise
    try:
        yield standing
    finally:
        hold.leave()


async def _works(sandbox: Sandbox) -> bool:
    """Try the same sandbox with nothing in it; return whether it has the options of bubblewrap 0.8.

    Raises:
        Refused: it cannot be made here.
    """
    reason: list[str] = []
    for modern in (True, False):
        tried = await _run(sandbox, ":", modern=modern)
        if tried.code == 0:
            return modern
        reason = tried.stderr.decode("utf-8", "replace").strip().splitlines()
    raise Refused("NO_SANDBOX", f"{PROGRAM} cannot make a sandbox here ({reason[-1][:300] if reason else 'no reason'}),"
                  " and nothing runs outside one. Ask the user to allow unprivileged user namespaces, or to use the"
                  " system's own bubblewrap.")  # fmt: skip


async def _run(sandbox: Sandbox, command: str, *, modern: bool) -> ProcessEnd:
    return await run_process(
        sandbox.command(command, modern=modern),
        cwd=Path(os.sep),
        env=environment(sandbox.settings, os.environ),
        max_output_bytes=_KEPT_BYTES,
    )


def _text(ended: ProcessEnd) -> str:
    code = ended.code if ended.code >= 0 else _SIGNALS - ended.code
    signalled = _SIGNALS < code <= _SIGNALS + _LAST_SIGNAL
    meaning = "" if code == 0 else f" (ended by signal {code - _SIGNALS})" if signalled else " (failed)"
    parts = [f"exit code {code}{meaning}"]
    for name, data in (("stdout", ended.stdout), ("stderr", ended.stderr)):
        text = data.decode("utf-8", "replace")
        if text.strip():
            parts.append(f"--- {name}\n{_cut(text)}")
    if ended.truncated:
        parts.append(f"[it wrote more than {_KEPT_BYTES:,} bytes; the rest was dropped]")
    if len(parts) == 1:
        parts.append("[no output]")
    return "\n".join(part.rstrip("\n") for part in parts)


def _cut(text: str) -> str:
    """The beginning and, because that is where errors stand, more of the end."""
    if len(text) <= _HEAD + _TAIL:
        return text
    left_out = len(text) - _HEAD - _TAIL
    return f"{text[:_HEAD]}\n[… {left_out:,} characters left out …]\n{text[-_TAIL:]}"
