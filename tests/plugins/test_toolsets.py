"""Toolsets: tools of something that is started for a run, and that may change in it."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from tests.e2e.harness import Finclaw, call, install_module

FEED = {"FINCLAW_PLUGINS": "acme-feed"}
SOURCE = (Path(__file__).parent / "feed_plugin.py").read_text()


@pytest.fixture
def untrusted(own: Finclaw, tmp_path_factory: pytest.TempPathFactory) -> Finclaw:
    plugins = tmp_path_factory.mktemp("plugins")
    install_module(plugins, "acme-feed", SOURCE)
    return replace(own, plugins=plugins)


@pytest.fixture
def feed(untrusted: Finclaw) -> Finclaw:
    assert untrusted("plugins", "trust", "acme-feed", env=FEED).code == 0
    return untrusted


def done(feed: Finclaw) -> list[str]:
    """What the toolset did, without the numbers of processes."""
    log = feed.home / "feed.log"
    return [word for word in log.read_text().split() if not word.startswith("pid=")] if log.exists() else []


def is_gone(feed: Finclaw) -> bool:
    """Whether its processes are gone."""
    pids = [word[4:] for word in (feed.home / "feed.log").read_text().split() if word.startswith("pid=")]
    assert pids
    return not any(Path(f"/proc/{pid}").exists() for pid in pids)


def set_mode(feed: Finclaw, mode: str, more: str = "") -> None:
    (feed.home / "config.toml").write_text(f'[plugin.acme-feed]\nmode = "{mode}"\n{more}')


def ask(feed: Finclaw, *turns: dict[str, object]) -> list[dict[str, object]]:
    """The events of a run with these turns of the model."""
    return feed("run", "-o", "ndjson", "-m", feed.script(*turns), "x", env=FEED).lines


def results(lines: list[dict[str, object]]) -> list[object]:
    return [line["result"] for line in lines if line["type"] == "agent.tool_call" and line.get("result") is not None]


CONVERSATION = """
import asyncio, sys
from finclaw_cli import Agent
from finclaw_cli.events import AgentStart

async def main():
    async with Agent.from_settings(model=sys.argv[1], session="talk") as agent:
        for prompt in ("x", "y"):
            async for emitted in agent.emitted(prompt):
                if isinstance(emitted.event, AgentStart):
                    print(any(tool.name == "depth" for tool in emitted.event.tools))

asyncio.run(main())
"""
PRICE = call("price", symbol="ACME")


class TestLife:
    def test_its_tools_are_listed_without_it(self, feed: Finclaw):
        (feed.plugins / "acme_feed.imported").unlink(missing_ok=True)
        listed = feed("tools", "list", env=FEED).stdout.decode()
        assert "price" in listed
        assert "depth" not in listed
        assert not (feed.plugins / "acme_feed.imported").exists()
        assert done(feed) == []

    def test_it_is_started_by_the_first_call_and_stopped_with_the_run(self, feed: Finclaw):
        lines = ask(feed, {"tool_calls": [PRICE]}, {"tool_calls": [PRICE]}, {"text": "ok"})
        assert results(lines) == ["ACME costs 12 USD"] * 2
        assert done(feed) == ["start", "price", "price", "stop"]
        assert is_gone(feed)

    def test_a_run_that_calls_none_of_its_tools_does_not_start_it(self, feed: Finclaw):
        lines = ask(feed, {"text": "ok"})
        assert lines[-1]["status"] == "completed"
        assert done(feed) == []

    def test_calls_of_one_turn_start_it_once(self, feed: Finclaw):
        calls = [call("price", symbol=symbol) for symbol in ("A", "B", "C")]
        assert len(results(ask(feed, {"tool_calls": calls}, {"text": "ok"}))) == 3
        assert done(feed) == ["start", "price", "price", "price", "stop"]

    def test_a_call_by_hand_starts_and_stops_it(self, feed: Finclaw):
        assert b"ACME costs 12 USD" in feed("tools", "call", "price", "symbol=ACME", env=FEED).stdout
        assert done(feed) == ["start", "price", "stop"]
        assert is_gone(feed)

    def test_one_that_is_not_trusted_is_imported_after_the_approval(self, untrusted: Finclaw):
        script = untrusted.script({"tool_calls": [PRICE]}, {"text": "{{price}}"})
        denied = untrusted("run", "-t", "price", "-m", script, "x", env=FEED)
        assert denied.code == 8
        assert done(untrusted) == []
        ran = untrusted("run", "-t", "price", "--approve", "price", "-m", script, "x", env=FEED)
        assert "ACME costs 12 USD" in ran.stdout.decode()
        assert done(untrusted) == ["start", "price", "stop"]


class TestFaults:
    def test_a_start_that_fails_is_the_result_of_the_call_and_the_next_call_starts_it_again(self, feed: Finclaw):
        set_mode(feed, "fails")
        lines = ask(feed, {"tool_calls": [PRICE]}, {"tool_calls": [PRICE]}, {"text": "ok"})
        assert results(lines) == ["the market is closed", "ACME costs 12 USD"]
        assert done(feed) == ["start", "stop", "start", "price", "stop"]
        assert is_gone(feed)

    def test_a_start_that_does_not_end_costs_the_call_its_time(self, feed: Finclaw):
        set_mode(feed, "hangs", "[tool.timeouts]\nprice = 0.5\n")
        lines = ask(feed, {"tool_calls": [PRICE]}, {"text": "ok"})
        assert "timed out" in str(results(lines)[0])
        assert lines[-1]["status"] == "completed"
        assert done(feed) == ["start", "stop"]
        assert is_gone(feed)

    def test_a_start_that_takes_longer_than_a_call_is_there_for_the_next_one(self, feed: Finclaw):
        set_mode(feed, "slow", "[tool.timeouts]\nprice = 0.4\n")
        lines = ask(feed, {"tool_calls": [PRICE]}, {"tool_calls": [PRICE]}, {"text": "ok"})
        assert results(lines)[1] == "ACME costs 12 USD"
        assert done(feed) == ["start", "price", "stop"]

    def test_what_does_not_stop_is_ended(self, feed: Finclaw):
        set_mode(feed, "never-stops")
        lines = ask(feed, {"tool_calls": [PRICE]}, {"text": "ok"})
        assert lines[-1]["status"] == "completed"
        assert is_gone(feed)

    @pytest.mark.parametrize("mode", ["start-blocks", "known-blocks"])
    def test_one_that_blocks_does_not_outlive_the_time_of_the_run(self, feed: Finclaw, mode: str):
        set_mode(feed, mode)
        model = feed.script({"tool_calls": [PRICE]}, {"text": "ok"})
        ran = feed("run", "-o", "ndjson", "--timeout", "1", "-m", model, "x", env=FEED)
        assert (ran.code, ran.result["status"]) == (124, "timeout")
        assert is_gone(feed)


class TestChanges:
    TURNS = ({"tool_calls": [call("subscribe"), call("depth")]}, {"tool_calls": [call("depth")]}, {"text": "ok"})

    def test_a_new_tool_is_offered_from_the_next_turn_on(self, feed: Finclaw):
        lines = ask(feed, *self.TURNS)
        (change,) = (line for line in lines if line["type"] == "agent.tools")
        assert change["turn"] == 2
        assert {"name": "depth", "group": "finance", "source": "plugin:acme-feed", "skill": None} in change["tools"]
        assert [str(result).split(".")[0] for result in results(lines)] == [
            "Unknown tool: depth",
            "subscribed",
            "3 bids",
        ]

    @pytest.mark.parametrize(
        ("mode", "message"),
        [
            ("odd", "acme-feed: 5 is not a tool: "),
            ("known-fails", "acme-feed: its tools stay as they were: its tools are not known: "),
        ],
    )
    def test_what_cannot_be_a_tool_is_named_once_and_the_run_verified(self, feed: Finclaw, mode: str, message: str):
        set_mode(feed, mode)
        turns = [{"tool_calls": [call("subscribe")]}, {"tool_calls": [call("subscribe")]}, {"text": "ok"}]
        ran = feed("run", "-o", "ndjson", "--session", "talk", "-m", feed.script(*turns), "x", env=FEED)
        warnings = [line["message"] for line in ran.of("agent.warning")]
        assert [each[: len(message)] for each in warnings] == [message]
        assert feed("replay", "--verify", "talk", env=FEED).code == 0
        assert feed("replay", "-o", "ndjson", "talk", env=FEED).stdout == ran.stdout

    def test_such_a_run_is_verified_and_replayed_to_the_same_bytes(self, feed: Finclaw):
        model = feed.script(*self.TURNS)
        ran = feed("run", "-o", "ndjson", "--session", "talk", "-m", model, "x", env=FEED)
        (feed.home / "feed.log").unlink()
        verified = feed("replay", "--verify", "talk", env=FEED)
        assert verified.code == 0, verified.stdout.decode() + verified.stderr
        assert done(feed) == []
        assert feed("replay", "-o", "ndjson", "talk", env=FEED).stdout == ran.stdout

    def test_the_next_prompt_of_a_conversation_begins_with_what_changed(self, feed: Finclaw):
        model = feed.script(*self.TURNS)
        program = feed.cwd / "program.py"
        program.write_text(CONVERSATION)
        ran = subprocess.run(
            [sys.executable, str(program), model], env=feed.env(FEED), capture_output=True, text=True, check=False
        )
        assert ran.stdout.split() == ["False", "True"], ran.stderr
        assert done(feed) == ["start", "subscribe", "depth", "stop", "start", "subscribe", "depth", "depth", "stop"]
        verified = feed("replay", "--verify", "talk", env=FEED)
        assert verified.code == 0, verified.stdout.decode() + verified.stderr
