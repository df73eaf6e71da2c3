"""The page on a prompt's way from the command line to the request names what a run really calls, in that order."""

from __future__ import annotations

import json
import re
from pathlib import Path

from tests.e2e.harness import ROOT, Finclaw
from tests.e2e.warm import run_warm

PAGE = ROOT / "docs" / "explanation" / "prompt-path.md"


def listed() -> list[str]:
    return re.findall(r"^\| \d+ \| `([\w.]+)` \|", PAGE.read_text("utf-8"), re.MULTILINE)


def _follow() -> None:
    """Write down the first call of each function of finclaw, until the process ends."""
    import os
    import sys

    names: dict[str, None] = {}

    def seen(frame: object, event: str, _: object) -> None:
        code = getattr(frame, "f_code")  # noqa: B009 - a frame
        if event == "call" and "finclaw_cli" in code.co_filename:
            module = code.co_filename.rpartition("finclaw_cli/")[2].removesuffix(".py").replace("/", ".")
            names.setdefault(f"{module}.{code.co_qualname}")

    real = os._exit

    def leave(code: int) -> None:
        sys.setprofile(None)
        Path("calls.json").write_text(json.dumps(list(names)))
        real(code)

    os._exit = leave  # type: ignore[assignment]
    sys.setprofile(seen)


def test_the_functions_are_called_in_the_order_of_the_page(finclaw: Finclaw) -> None:
    model = finclaw.script({"text": "Hi."})
    run_warm(("run", "-q", "-m", model, "Hello?"), env=finclaw.env(), cwd=finclaw.cwd, timeout_s=60, before=_follow)
    called = json.loads((finclaw.cwd / "calls.json").read_text())
    assert [name for name in called if name in set(listed())] == listed()
