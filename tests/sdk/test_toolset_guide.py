"""The example of `docs/how-to/plugin-toolsets.md` does what the page promises."""

from __future__ import annotations

import json
import socketserver
import sys
import threading
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

from finclaw_cli.testing.contract import check_plugin
from finclaw_cli.testing.runs import play
from tests.docs.pages import ROOT, files_of

PAGE = ROOT / "docs" / "how-to" / "plugin-toolsets.md"
ANSWERS = {"list": {"risk": "The risk of the desk.", "fees": "Its fees."}, "risk": {"limit": "used by half"}}

Example = Callable[[int], ModuleType]


@pytest.fixture
def example(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Example:
    """The test of the page, for a desk on that port."""

    def written(port: int) -> ModuleType:
        for name, text in files_of(PAGE).items():
            (tmp_path / name).write_text(text.replace("7070", str(port)))
            monkeypatch.delitem(sys.modules, name.removesuffix(".py"), raising=False)
        return import_module("test_desk")

    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    return written


class _Answering(socketserver.StreamRequestHandler):
    def handle(self) -> None:
        for line in self.rfile:
            self.wfile.write(json.dumps(ANSWERS[line.decode().strip()]).encode() + b"\n")


@pytest.fixture
def server() -> Iterator[int]:
    """The port of the desk."""
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), _Answering) as listening:
        listening.daemon_threads = True
        thread = threading.Thread(target=listening.serve_forever)
        thread.start()
        yield listening.server_address[1]
        listening.shutdown()
        thread.join()


def test_a_report_is_a_tool_once_it_is_known(example: Example, server: int):
    example(server).test_a_report_can_be_read_once_it_is_known()


def test_a_desk_that_does_not_answer_is_the_result_of_the_call(example: Example):
    page = example(1)
    assert play(page.TURNS, toolsets=[page.Desk()]).calls[0].result == "the desk does not answer on port 1"


def test_it_keeps_the_contract(example: Example):
    problems = check_plugin(sys.modules[example(1).Desk.__module__])
    assert [problem for problem in problems if problem.severity == "error"] == []
