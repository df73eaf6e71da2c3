"""What every test gets: a home of its own, no keys, no settings from outside."""

from __future__ import annotations

import fcntl
import gc
import itertools
import os
import signal
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.examples import FEW

# No deadlines: how long an example takes depends on the machine, not on the code.
settings.register_profile("finclaw", deadline=None, max_examples=FEW, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("finclaw")


# A shell that starts the tests in the background has them, and every process that they start, ignore these.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGQUIT, signal.SIG_DFL)


# Whether these tests have been collected before, so that their bytecode is there.
IS_COMPILED = sys.dont_write_bytecode or (Path(__file__).parent / "unit" / "__pycache__").exists()


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Iterator[None]:
    """In a fresh clone, have one process compile the tests while the others wait, in place of each for itself."""
    run = getattr(session.config, "workerinput", {}).get("testrunuid")
    if run is None or IS_COMPILED:
        return (yield)
    place = Path(tempfile.gettempdir()) / f"finclaw-tests-{run}.lock"
    with place.open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            fcntl.flock(lock, fcntl.LOCK_SH)
            fcntl.flock(lock, fcntl.LOCK_UN)
        place.unlink(missing_ok=True)
        return (yield)


_homes = itertools.count()


@pytest.fixture(autouse=True)
def clean_environment(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    for name in list(os.environ):
        if name.startswith(("FINCLAW_", "ANTHROPIC_", "OPENAI_")):
            monkeypatch.delenv(name)
    # Most tests have no file: a folder for each would take a third of the time of a small one.
    own = "tmp_path" in request.fixturenames
    home = request.getfixturevalue("tmp_path") if own else tmp_path_factory.getbasetemp() / str(next(_homes))
    monkeypatch.setenv("FINCLAW_HOME", str(home / "home"))


# What is imported and collected stays: the garbage collector would look at all of it again and again, for an eighth of
# the time of the whole suite.
gc.disable()


def pytest_collection_finish() -> None:
    """Start the garbage collector, without what was collected."""
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)
    gc.enable()
