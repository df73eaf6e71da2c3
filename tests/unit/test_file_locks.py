"""Files of ours that are read, changed and written again: no process undoes what another one wrote."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from finclaw_cli.catalog.price_file import KnownWindow, PriceFile
from finclaw_cli.cli.terminal.input_history import MAX_ENTRIES, InputHistory
from finclaw_cli.core.errors import UsageError
from finclaw_cli.core.file_locks import locked
from finclaw_cli.plugin_host.distribution import Distribution
from finclaw_cli.plugin_host.entry_points import EntryPoint
from finclaw_cli.plugin_host.installed import InstalledPlugin
from finclaw_cli.plugin_host.manifest import PluginManifest, forget_manifest, keep_manifests, read_manifests
from finclaw_cli.plugin_host.trust import TrustStore
from finclaw_cli.settings.change import settings_to_change
from finclaw_cli.settings.paths import user_file

AT_ONCE, EACH = 4, 10


def together(work: Callable[[int], None]) -> None:
    """Let threads work from one moment on, each with its number."""
    ready = threading.Barrier(AT_ONCE)

    def run(number: int) -> None:
        ready.wait()
        for step in range(EACH):
            work(number * EACH + step)

    with ThreadPoolExecutor(AT_ONCE) as threads:
        list(threads.map(run, range(AT_ONCE)))


def plugin(dist: str, folder: Path) -> InstalledPlugin:
    """A plugin whose module is in the RECORD of the folder."""
    point = EntryPoint(name=dist, value="module", distribution=Distribution(folder / "acme-1.dist-info"))
    return InstalledPlugin(dist=dist, version="1", entry_point=point)


class TestLocks:
    def test_a_lock_is_held_by_one_thread_at_a_time(self, tmp_path: Path):
        path = tmp_path / "count"
        path.write_text("0")

        def add_one(_: int) -> None:
            with locked(path):
                path.write_text(str(int(path.read_text()) + 1))

        together(add_one)
        assert int(path.read_text()) == AT_ONCE * EACH

    def test_a_lock_that_another_process_holds_is_free_when_that_dies(self, tmp_path: Path):
        source = (
            "import sys\nfrom pathlib import Path\nfrom finclaw_cli.core.file_locks import locked\n"
            "with locked(Path(sys.argv[1])):\n    print('held', flush=True)\n    sys.stdin.read()\n"
        )
        command = [sys.executable, "-c", source, str(tmp_path / "file")]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == "held\n"
            with pytest.raises(TimeoutError), locked(tmp_path / "file", 0):
                pass
            process.kill()
            process.wait()
            with locked(tmp_path / "file", 0):
                pass

    def test_a_link_in_the_place_of_the_lock_is_not_followed(self, tmp_path: Path):
        (tmp_path / "file.lock").symlink_to(tmp_path / "elsewhere")
        with pytest.raises(OSError, match="symbolic links"), locked(tmp_path / "file"):
            pass
        assert not (tmp_path / "elsewhere").exists()


class TestTrust:
    @pytest.fixture(autouse=True)
    def record(self, tmp_path: Path) -> None:
        (tmp_path / "module.py").write_text("")
        (tmp_path / "acme-1.dist-info").mkdir()
        (tmp_path / "acme-1.dist-info" / "RECORD").write_text("module.py,,\n")

    def test_a_revocation_is_not_undone_by_a_decision_that_was_prepared_before_it(self, tmp_path: Path):
        path = tmp_path / "trust.json"
        one, other = plugin("one", tmp_path), plugin("other", tmp_path)
        TrustStore(path).grant(one)
        earlier = TrustStore(path)
        assert earlier.standing(one) == "trusted"
        assert TrustStore(path).revoke("one")
        earlier.grant(other)
        assert [TrustStore(path).standing(each) for each in (one, other)] == ["untrusted", "trusted"]
        assert earlier.standing(one) == "untrusted"

    def test_decisions_at_the_same_time_are_all_kept(self, tmp_path: Path):
        path = tmp_path / "trust.json"
        together(lambda number: TrustStore(path).grant(plugin(f"acme-{number}", tmp_path)))
        assert len(json.loads(path.read_text())["plugins"]) == AT_ONCE * EACH

    def test_decisions_and_revocations_at_the_same_time_undo_nothing(self, tmp_path: Path):
        path = tmp_path / "trust.json"
        for number in range(AT_ONCE * EACH):
            TrustStore(path).grant(plugin(f"acme-{number}", tmp_path))

        def decide(number: int) -> None:
            if number % 2:
                assert TrustStore(path).revoke(f"acme-{number}")
            else:
                TrustStore(path).grant(plugin(f"new-{number}", tmp_path))

        together(decide)
        kept = set(json.loads(path.read_text())["plugins"])
        even = range(0, AT_ONCE * EACH, 2)
        assert kept == {f"{name}-{number}" for name in ("acme", "new") for number in even}


class TestCaches:
    def manifest(self, dist: str) -> PluginManifest:
        return PluginManifest(key=f"{dist}/x", dist=dist, version="1", fingerprint="f")

    def test_manifests_that_processes_keep_at_the_same_time_are_all_kept(self, tmp_path: Path):
        path = tmp_path / "plugins.json"
        together(lambda number: keep_manifests(path, [self.manifest(f"acme-{number}")]))
        assert len(read_manifests(path)) == AT_ONCE * EACH

    def test_a_manifest_that_was_forgotten_does_not_come_back_with_another_one(self, tmp_path: Path):
        path = tmp_path / "plugins.json"
        keep_manifests(path, [self.manifest("one"), self.manifest("two")])
        forget_manifest(path, "one")
        keep_manifests(path, [self.manifest("three")])
        assert set(read_manifests(path)) == {"two/x", "three/x"}

    def test_prices_that_processes_keep_at_the_same_time_are_all_kept(self, tmp_path: Path):
        path = tmp_path / "prices.json"

        def keep(number: int) -> None:
            PriceFile(path).keep_window("acme", f"model-{number}", KnownWindow(tokens=number + 1))

        together(keep)
        found = [PriceFile(path).known("acme", f"model-{number}").window for number in range(AT_ONCE * EACH)]
        assert found == [KnownWindow(tokens=number + 1) for number in range(AT_ONCE * EACH)]


def test_entries_that_are_typed_while_a_history_is_cut_are_kept(tmp_path: Path):
    path = tmp_path / "history"
    path.write_text("old\n" * (MAX_ENTRIES + 1))

    def work(number: int) -> None:
        history = InputHistory(path, keeps=True)
        if number < EACH:
            history.load()
        else:
            history.add(f"new {number}")

    together(work)
    kept = InputHistory(path, keeps=True).load()
    assert {f"new {number}" for number in range(EACH, AT_ONCE * EACH)} <= set(kept)


def test_settings_that_another_program_has_changed_meanwhile_are_not_replaced():
    user_file().parent.mkdir(parents=True)
    with settings_to_change() as file:
        user_file().write_text("max_turns = 3\n")
        with pytest.raises(UsageError, match="another program has changed it"):
            file.replace("max_turns = 4\n")
    assert user_file().read_text() == "max_turns = 3\n"
