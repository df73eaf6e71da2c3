"""A key that this process knows appears nowhere: no event, no file, no log, no error, no traceback, in no piece."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.e2e.asking import on_controlling_terminal
from tests.e2e.dialects import Chat
from tests.e2e.harness import Finclaw, call, install_module
from tests.e2e.trusted import Trusted, module_source
from tests.wire.server import threaded

CANARY = 'sk-ant-canary-"quoted"-0123456789'
PLAIN = "sk-ant-canary-"
TOOLS = ("leak_result", "leak_error", "leak_crash", "leak_progress", "leak_preview")
ENV = {
    "ANTHROPIC_API_KEY": CANARY,
    "ACME_TOKEN": "tok-canary-987654321",
    "FINCLAW_PLUGINS": "finclaw-kit,finclaw-leaky",
}


@pytest.fixture
def leaky(own: Finclaw, trusted: Trusted) -> Finclaw:
    return trusted(own, "finclaw-leaky", module_source("e2e/leaky_plugin"))


def everything(*said: bytes | str, home: Path) -> str:
    files = [path.read_text("utf-8", "replace") for path in home.rglob("*") if path.is_file()]
    return "\n".join([*(part.decode("utf-8", "replace") if isinstance(part, bytes) else part for part in said), *files])


def assert_clean(text: str) -> None:
    for secret in (PLAIN, "tok-canary"):
        assert secret not in text, text[max(text.index(secret) - 200, 0) :][:400]


@pytest.mark.parametrize(("output", "delta_chars"), [("ndjson", 1), ("ndjson", 7), ("json", 1000), ("text", 1)])
def test_it_is_in_no_output_and_no_file(leaky: Finclaw, output: str, delta_chars: int):
    said = f"The key is {CANARY}."
    turn = {"text": said, "delta_chars": delta_chars, "tool_calls": [call(name) for name in TOOLS]}
    model = leaky.script(turn, {"text": f"Again: {CANARY}", "delta_chars": delta_chars})
    arguments = ("run", "-o", output, "--verbose", "--debug", "--last-message", "last.txt", "-m", model)
    if output == "ndjson":
        arguments += ("--events", "all")
    ran = leaky(*arguments, f"What is {CANARY}?", env={**ENV, "FINCLAW_PLUGINS": "finclaw-leaky"})
    assert ran.code == 8
    last = (leaky.cwd / "last.txt").read_text()
    assert "[REDACTED:key]" in last
    assert_clean(everything(ran.stdout, ran.stderr, last, home=leaky.home))
    if output == "ndjson":
        deltas = "".join(line["text"] for line in ran.of("agent.delta") if line["turn"] == 1)
        assert deltas == "The key is [REDACTED:key]."


def test_it_is_not_in_a_question(leaky: Finclaw):
    model = leaky.script({"tool_calls": [call("leak_preview")]}, {"text": "ok"})
    env = {**ENV, "FINCLAW_PLUGINS": "finclaw-leaky"}
    with on_controlling_terminal(leaky, "run", "-m", model, "x", to_terminal=True, **env) as it:
        it.until(b"Run leak_preview?")
        it.type(b"y")
        it.end()
        assert b"will send [REDACTED:key]" in it.seen
        assert_clean(it.seen.decode("utf-8", "replace"))


@pytest.mark.parametrize(
    "arguments",
    [
        ("tools", "call", "leak_result"),
        ("tools", "call", "leak_error"),
        ("tools", "call", "leak_crash"),
        ("config", "show"),
        ("config", "show", "--json"),
        ("run", "--max-turns", CANARY, "x"),
        ("run", "-m", CANARY, "x"),
        ("run", "--policy", CANARY, "x"),
        ("run", "--file", CANARY, "x"),
        ("doctor",),
    ],
    ids=lambda arguments: " ".join(part for part in arguments if PLAIN not in part),
)
def test_no_other_command_shows_it(leaky: Finclaw, arguments: tuple[str, ...]):
    (leaky.home / "config.toml").write_text(
        f'[providers.openai-chat]\nbase_url = "http://me:{PLAIN}pass@127.0.0.1:1/v1"\n'
        f"[plugin.finclaw-leaky]\napi_key = {json.dumps(CANARY)}\n"
    )
    ran = leaky(*arguments, env={**ENV, "FINCLAW_PLUGINS": "finclaw-leaky"})
    (leaky.home / "config.toml").unlink()
    assert_clean(everything(ran.stdout, ran.stderr, home=leaky.home))


@pytest.mark.parametrize(
    "name", ["key", "api_key", "apikey", "api-key", "accessToken", "token", "sig", "client_secret"]
)
@pytest.mark.parametrize("view", [(), ("--json",)], ids=["text", "json"])
def test_a_secret_in_an_address_is_not_shown(own: Finclaw, name: str, view: tuple[str, ...]):
    address = f"https://proxy.example/v1?region=eu-west-1-blue&{name}=canary%2F1234567#end"
    ran = own(
        "config", "show", *view, env={"FINCLAW_BASE_URL": address, "HTTPS_PROXY": f"http://p/?{name}=canary/1234567"}
    )
    assert f"https://proxy.example/v1?region=eu-west-1-blue&{name}=[REDACTED:key]#end" in ran.text
    assert "canary" not in ran.text


def test_a_tool_of_the_model_does_not_learn_it_either(leaky: Finclaw):
    """What goes back to the model passes the same guard."""
    model = leaky.script({"tool_calls": [call("leak_error")]}, {"text": "{{leak_error}}"})
    ran = leaky("run", "-o", "ndjson", "-m", model, "x", env={**ENV, "FINCLAW_PLUGINS": "finclaw-leaky"})
    (end,) = [line for line in ran.of("agent.tool_call") if line["status"] == "failed"]
    assert end["result"] == "401: the key [REDACTED:key] was refused"


def test_it_is_sent_to_no_model_and_the_run_is_verified_all_the_same(own: Finclaw):
    wire, env = Chat(), {"OPENAI_API_KEY": "sk-test-key-0123456789", "ACME_TOKEN": "tok-canary-987654321"}
    with threaded(wire.text("Fine.")) as server:
        where = ("-m", wire.model, "--base-url", f"{server.url}/v1")
        ran = own("run", *where, "--session", "talk", "Is tok-canary-987654321 any good?", env=env)
        assert (ran.code, "tok-canary" in json.dumps(server.bodies)) == (0, False)
    assert own("replay", "--verify", "talk", env=env).code == 0


KEYED = """
from finclaw_cli.sdk import Need, ToolContext, hookimpl, tool

@tool(group="finance", read_only=True, needs=(Need(env="ACME_KEY", how="export ACME_KEY=…"),))
def reveal(ctx: ToolContext) -> str:
    \"\"\"Give the key away.\"\"\"
    return f"the key is {ctx.secret('ACME_KEY')}, and there is {ctx.secret('NO_SUCH_KEY')} other"

@hookimpl
def finclaw_tools():
    return [reveal]
"""
ONLY = {"FINCLAW_PLUGINS": "acme-keyed"}
BACKEND = """
import pathlib
from keyring.backend import KeyringBackend

pathlib.Path(__file__).with_suffix(".imported").touch()

class Acme(KeyringBackend):
    priority = 99

    def get_password(self, service, username):
        return "kept-in-the-keyring-4711" if (service, username) == ("finclaw", "ACME_KEY") else None

    def set_password(self, service, username, password):
        raise NotImplementedError
"""


@pytest.fixture
def keyed(own: Finclaw, trusted: Trusted) -> Finclaw:
    return trusted(own, "acme-keyed", KEYED)


def test_a_tool_gets_a_key_of_the_environment_which_is_masked_in_its_result(keyed: Finclaw):
    script = keyed.script({"tool_calls": [call("reveal")]}, {"text": "{{reveal}}"})
    ran = keyed("run", "-t", "reveal", "-m", script, "x", env=ONLY | {"ACME_KEY": "a-key-of-acme-0815"})
    assert "the key is [REDACTED" in ran.stdout.decode()
    assert "there is None other" in ran.stdout.decode()
    assert "0815" not in ran.stdout.decode() + "".join(path.read_text() for path in (keyed.home / "sessions").iterdir())


@pytest.fixture
def backend(tmp_path: Path) -> Path:
    """A folder with a package that brings a keyring."""
    folder = tmp_path / "backend"
    folder.mkdir()
    install_module(folder, "acme-backend", BACKEND, group="keyring.backends")
    return folder


def beside(keyed: Finclaw, folder: Path) -> dict[str, str]:
    """The environment in which the plugin and what is in the folder are installed."""
    return ONLY | {"PYTHONPATH": os.pathsep.join([keyed.env()["PYTHONPATH"], str(folder)])}


def test_a_tool_gets_a_key_of_the_keyring_that_the_user_has_configured(keyed: Finclaw, backend: Path):
    script = keyed.script({"tool_calls": [call("reveal")]}, {"text": "{{reveal}}"})
    env = beside(keyed, backend) | {"PYTHON_KEYRING_BACKEND": "acme_backend.Acme"}
    ran = keyed("run", "-t", "reveal", "-m", script, "x", env=env)
    assert "the key is [REDACTED" in ran.stdout.decode(), ran.stderr
    assert "4711" not in ran.stdout.decode()


def test_a_backend_that_another_package_brings_for_the_keyring_is_not_imported(keyed: Finclaw, backend: Path):
    script = keyed.script({"tool_calls": [call("reveal")]}, {"text": "{{reveal}}"})
    ran = keyed("run", "-t", "reveal", "-m", script, "x", env=beside(keyed, backend))
    assert "needs the variable ACME_KEY" in ran.stdout.decode()
    assert not (backend / "acme_backend.imported").exists()


def test_a_tool_without_its_key_does_not_run(keyed: Finclaw):
    script = keyed.script({"tool_calls": [call("reveal")]}, {"text": "{{reveal}}"})
    assert "needs the variable ACME_KEY" in keyed("run", "-t", "reveal", "-m", script, "x", env=ONLY).stdout.decode()
