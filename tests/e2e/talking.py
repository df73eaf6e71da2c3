"""A conversation with `finclaw run -i` on a pty, and what was kept of it."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import struct
import termios
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from finclaw_cli.transcript.history import History, open_history
from tests.e2e.asking import OnTerminal
from tests.e2e.harness import Finclaw, call
from tests.e2e.terminals import start_on_terminal

PROMPT = b"\x1b[?2004h> "
GOES_ON = "\x1b[?2004h… ".encode()
CTRL_C, CTRL_D, CTRL_Z, UP = b"\x03", b"\x04", b"\x1a", b"\x1b[A"


class Typing(OnTerminal):
    """A person who waits for what is shown before anything is typed."""

    is_gone = False
    modes_before: list[Any] | None = None
    """The modes of the terminal before the command began."""

    def hang_up(self) -> None:
        self.is_gone = True
        silent, _ = os.pipe()
        os.dup2(silent, self.leader)
        os.close(silent)

    def see(self, text: bytes) -> bytes:
        """Read until this is shown; what was shown up to there, which is not looked at again."""
        shown = self.until(text)
        end = shown.index(text) + len(text)
        del self.seen[:end]
        return shown[:end]

    def ask(self, question: bytes, answer: bytes) -> bytes:
        self.see(PROMPT)
        self.type(question + b"\r")
        return self.see(answer)

    def leave(self) -> int:
        self.see(PROMPT)
        self.type(CTRL_D)
        return self.end()

    def wait_until_it_is_full(self) -> None:
        """Until nothing more can be shown, since no process reads it."""
        unread = [-1, 0]
        while unread[-1] == 0 or unread[-1] != unread[-2]:
            time.sleep(0.1)
            (waiting,) = struct.unpack("i", fcntl.ioctl(self.leader, termios.FIONREAD, b"\0" * 4))
            unread.append(waiting)

    @property
    def modes(self) -> list[Any]:
        return termios.tcgetattr(self.leader)


@contextmanager
def talking(own: Finclaw, *arguments: str, shell: tuple[str, ...] = (), **env: str) -> Iterator[Typing]:
    """`finclaw run -i` on a terminal of its own, which is left as it was."""
    leader, follower = pty.openpty()
    modes = termios.tcgetattr(leader)
    streams = dict.fromkeys(("stdin", "stdout", "stderr"), follower)
    env = {"FINCLAW_PLAIN": "1", **env}
    process = start_on_terminal(own, follower, "run", "-i", *arguments, env=env, shell=shell, **streams)
    it = Typing(process, leader)
    it.modes_before = modes
    try:
        yield it
        it.end()
        assert it.is_gone or it.modes == it.modes_before
    finally:
        process.kill()
        process.wait()
        os.close(leader)
        os.close(follower)


def script(own: Finclaw, name: str = "script.json", **turns: list[dict[str, Any]]) -> str:
    """A model that answers each question with the turns of the first word that it contains; any other with Fine."""
    conversations = [{"match": word, "turns": turns} for word, turns in turns.items()]
    path = own.cwd / name
    path.write_text(json.dumps({"conversations": [*conversations, {"turns": [{"text": "Fine."}]}]}))
    return f"scripted:{path}"


def history(own: Finclaw, name: str = "talk") -> History:
    return open_history(own.home / "sessions" / f"{name}.jsonl")


def said(own: Finclaw, name: str = "talk") -> list[tuple[str, str]]:
    return [(message.role, message.text) for message in history(own, name).messages]


def kept(own: Finclaw, kind: str, name: str = "talk") -> list[dict[str, Any]]:
    lines = (own.home / "sessions" / f"{name}.jsonl").read_text().splitlines()
    return [record for line in lines if (record := json.loads(line))["type"] == kind]


SLOW = {"text": "Let me see. " * 200, "delta_chars": 12, "delay_s": 0.05}
STUCK = [{"text": "I look.", "tool_calls": [call("sleepy", seconds=60)]}, {"text": "never"}]
PAY = [{"text": "I pay.", "tool_calls": [call("pay", to="Kim", amount="5")]}, {"text": "Said: {{pay}}"}]
