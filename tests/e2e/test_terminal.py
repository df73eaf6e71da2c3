"""On a real pseudo-terminal."""

from __future__ import annotations

import re
import sys

import pytest

from tests.e2e import terminals
from tests.e2e.harness import Finclaw, call

STYLES = re.compile(rb"\x1b\[([0-9;]*)m")
BACKGROUND = re.compile(rb"(?:^|;)(?:4[0-8]|10[0-7])(?:;|$)")
COLOUR = re.compile(rb"(?:^|;)(?:3[0-8]|4[0-8]|9[0-7]|10[0-7])(?:;|$)")
OURS = re.compile(rb"\x1b\[[0-9;?]*[a-zA-Z]")


def on_terminal(finclaw: Finclaw, *arguments: str, **more: str) -> tuple[int, bytes]:
    return terminals.on_terminal(finclaw, *arguments, **{"TERM": "xterm-256color", "COLUMNS": "100", **more})


@pytest.mark.skipif(sys.platform != "linux", reason="reads a pty to its end as Linux does")
class TestTerminal:
    def test_markdown_is_rendered_and_a_status_line_ends_the_run(self, finclaw: Finclaw) -> None:
        code, seen = on_terminal(finclaw, "run", "-m", finclaw.script({"text": "A **bold** word.\n\nThe end."}), "x")
        text = OURS.sub(b"", seen)
        assert code == 0
        assert b"A bold word." in text
        assert b"1 turn" in text.splitlines()[-1]

    def test_a_running_tool_is_shown_with_its_time(self, finclaw: Finclaw) -> None:
        model = finclaw.script({"tool_calls": [call("sleepy", seconds=0.5)]}, {"text": "ok"})
        _, seen = on_terminal(finclaw, "run", "-m", model, "x")
        assert re.search(rb"sleepy \(\d\.\d s\)", OURS.sub(b"", seen))

    def test_what_a_retry_makes_void_is_marked(self, finclaw: Finclaw) -> None:
        fault = {"reason": "overloaded", "after_chars": 6, "times": 1}
        _, seen = on_terminal(
            finclaw, "run", "-m", finclaw.script({"text": "Hello there.", "delta_chars": 6, "fault": fault}), "x"
        )
        text = OURS.sub(b"", seen).decode()
        assert text.index("void") < text.rindex("Hello there.")

    @pytest.mark.parametrize("extra", [{}, {"NO_COLOR": "1"}, {"TERM": "dumb"}], ids=["rich", "NO_COLOR", "dumb"])
    def test_no_escape_sequence_of_a_model_or_a_tool_reaches_the_terminal(
        self, finclaw: Finclaw, extra: dict[str, str]
    ) -> None:
        evil = "a\x1b]52;c;ZXZpbA==\x07b \x1b]0;title\x07 \x9b2J \u202eabc [link](http://evil) \x1b[31m"
        turn = {"text": evil, "tool_calls": [{"name": "no\x1b]0;x\x07pe", "input": {"a": "\x1b[2J"}}]}
        _, seen = on_terminal(finclaw, "run", "-m", finclaw.script(turn, {"text": evil}), "x\x1b[31m", **extra)
        left = OURS.sub(b"", seen)
        assert b"link" in left
        assert b"\x1b" not in left
        assert b"\x9b" not in seen.decode("utf-8").encode("latin-1", "ignore")
        assert b"\x07" not in seen
        assert "\u202e" not in seen.decode()
        assert b"]8;" not in seen
        assert not {b"\x1b[2J", b"\x1b[31m"} & set(OURS.findall(seen))

    def test_no_color_takes_colours_away_and_nothing_else(self, finclaw: Finclaw) -> None:
        model = finclaw.script({"text": "A **bold** word and `code`.\n\n```python\nx = 1\n```\n"})
        _, seen = on_terminal(finclaw, "run", "-m", model, "x", NO_COLOR="1")
        assert not [code for code in STYLES.findall(seen) if COLOUR.search(code)]
        assert b"\x1b[1m" in seen
        assert b"A bold word and code." in OURS.sub(b"", seen)

    def test_code_stands_on_the_terminals_own_background(self, finclaw: Finclaw) -> None:
        model = finclaw.script({"text": "Type `finclaw`:\n\n```python\nprint(1)\n```\n"})
        _, seen = on_terminal(finclaw, "run", "-m", model, "x", COLORTERM="truecolor")
        assert not [code for code in STYLES.findall(seen) if BACKGROUND.search(code)]
        assert b"print" in seen

    def test_plain_means_no_escape_codes_at_all(self, finclaw: Finclaw) -> None:
        _, seen = on_terminal(finclaw, "run", "--plain", "-m", finclaw.script({"text": "A **bold** word."}), "x")
        assert b"\x1b" not in seen
        assert b"A **bold** word." in seen
