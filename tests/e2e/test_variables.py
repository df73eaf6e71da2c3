"""Variables, aliases and addresses in the settings that cannot be meant, and what `config show` does not show."""

from __future__ import annotations

import json

import pytest

from tests.e2e.dialects import Chat
from tests.e2e.harness import Finclaw, Ran
from tests.wire.server import threaded

pytestmark = pytest.mark.by_agent


def ask(own: Finclaw, **env: str) -> Ran:
    return own("run", "-o", "ndjson", "-m", own.script({"text": "fine"}), "Hello?", env=env)


def warned(ran: Ran) -> list[str]:
    return [line["message"] for line in ran.of("agent.warning") if line["code"] == "unknown_variable"]


class TestUnknownVariable:
    @pytest.mark.parametrize(
        ("name", "near"),
        [("FINCLAW_TEMPRATURE", "FINCLAW_TEMPERATURE"), ("FINCLAW_RETRY_ATTEMPT", "FINCLAW_RETRY_ATTEMPTS")],
    )
    def test_one_that_is_misspelt_is_warned_of_with_the_closest(self, own: Finclaw, name: str, near: str) -> None:
        ran = ask(own, **{name: "1"})
        (message,) = warned(ran)
        assert (name in message, f"{near}?" in message, ran.code) == (True, True, 0)
        assert name in own("run", "-m", own.script({"text": "fine"}), "Hello?", env={name: "1"}).stderr

    def test_one_that_is_like_no_other_is_warned_of(self, own: Finclaw) -> None:
        assert len(warned(ask(own, FINCLAW_COLOUR_OF_THE_SKY="blue"))) == 1

    @pytest.mark.parametrize(
        ("name", "says"),
        [
            ("FINCLAW_MAX_COSTS", "FINCLAW_MAX_COST"),
            ("FINCLAW_MAXTURNS", "FINCLAW_MAX_TURNS"),
            ("FINCLAW_TIMOUT", "FINCLAW_TIMEOUT"),
            ("FINCLAW_BASEURL", "FINCLAW_BASE_URL"),
            ("FINCLAW_POLICYS", "FINCLAW_POLICY"),
            ("FINCLAW_NO_PLUGINS", "FINCLAW_PLUGINS"),
            ("FINCLAW_BUDGET", "[budget]"),
            ("FINCLAW_BUDGET_DAILY", "[budget]"),
            ("FINCLAW_MASK", "[mask]"),
            ("FINCLAW_ALIASES", "[aliases]"),
        ],
    )
    def test_one_that_was_meant_to_limit_or_protect_stops_the_run(self, own: Finclaw, name: str, says: str) -> None:
        ran = ask(own, **{name: "5"})
        message = ran.result["error"]["message"]
        assert (name in message, says in message, ran.result["turns"], ran.code) == (True, True, 0, 2)

    def test_config_and_doctor_tell_of_it_too(self, own: Finclaw) -> None:
        env = {"FINCLAW_TEMPRATURE": "1"}
        assert "FINCLAW_TEMPRATURE" in own("config", "show", env=env).stderr
        assert "FINCLAW_TEMPRATURE" in own("doctor", env=env).text

    def test_known_ones_are_not_told_of(self, own: Finclaw) -> None:
        assert warned(ask(own, FINCLAW_MAX_TURNS="3", FINCLAW_PLUGINS="finclaw-kit", FINCLAW_YAHOO_URL="x")) == []


@pytest.mark.parametrize("name", ["FINCLAW_DELTAS", "FINCLAW_SAVE", "FINCLAW_STREAM", "FINCLAW_PLAIN"])
@pytest.mark.parametrize("value", ["", " "])
def test_an_empty_variable_is_neither_yes_nor_no(own: Finclaw, name: str, value: str) -> None:
    ran = ask(own, **{name: value})
    assert (name in ran.result["error"]["message"], ran.code) == (True, 2)


class TestAliases:
    @pytest.mark.parametrize("text", ['a = "a"', 'a = "b"\nb = "a"', 'ok = "demo"\na = "b"\nb = "c"\nc = "b"'])
    def test_those_that_lead_in_a_circle_are_refused(self, own: Finclaw, text: str) -> None:
        (own.home / "config.toml").write_text(f"[aliases]\n{text}\n")
        ran = ask(own)
        assert ("circle" in ran.result["error"]["message"], ran.code) == (True, 2)

    def test_one_may_stand_for_another(self, own: Finclaw) -> None:
        model = own.script({"text": "fine"})
        (own.home / "config.toml").write_text(f'[aliases]\nquick = "fast"\nfast = "{model}"\n')
        ran = own("run", "-o", "ndjson", "-m", "quick", "Hello?")
        assert (ran.result["model"], ran.code) == (model, 0)

    def test_a_long_chain_is_followed(self, own: Finclaw) -> None:
        model = own.script({"text": "fine"})
        links = "\n".join(f'a{number} = "a{number + 1}"' for number in range(5_000))
        (own.home / "config.toml").write_text(f'[aliases]\n{links}\na5000 = "{model}"\n')
        assert own("run", "-o", "ndjson", "-m", "a0", "Hello?").result["model"] == model


class TestShown:
    @pytest.mark.parametrize("arguments", [("config", "show"), ("config", "show", "--json"), ("models", "list")])
    def test_credentials_of_addresses_and_headers_are_hidden(self, own: Finclaw, arguments: tuple[str, ...]) -> None:
        (own.home / "config.toml").write_text(
            'base_url = "https://alice:hunter2@one.example/v1"\n'
            '[providers.mine]\nbase_url = "https://tok-alone@two.example/v1"\n'
            'headers = { "X-Team" = "research", "Authorization" = "Basic c2VjcmV0" }\n'
        )
        shown = own(*arguments)
        assert "two.example/v1" in shown.text
        for secret in ("alice", "hunter2", "tok-alone", "c2VjcmV0"):
            assert secret not in shown.text + shown.stderr

    def test_other_values_are_shown_as_they_are(self, own: Finclaw) -> None:
        (own.home / "config.toml").write_text('base_url = "http://localhost:11434/v1"\nsystem = "a@b"\n')
        values = json.loads(own("config", "show", "--json").stdout)
        assert (values["base_url"]["value"], values["system"]["value"]) == ("http://localhost:11434/v1", "a@b")

    def test_headers_appear_in_no_error(self, own: Finclaw) -> None:
        with threaded(Chat().text("no")) as server:
            (own.home / "config.toml").write_text(
                f'[providers.mine]\nbase_url = "{server.url}"\nheaders = {{ "X-A" = "s3cr3t-\\u0007" }}\n'
            )
            ran = own("run", "-o", "ndjson", "-m", "mine:x", "Hello?")
        assert ("s3cr3t" in ran.text + ran.stderr, ran.code) == (False, 2)
