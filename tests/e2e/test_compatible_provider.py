"""A plugin that brings a server of its own in a few lines."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.docs.pages import ROOT, files_of
from tests.e2e.asking import in_own_home
from tests.e2e.dialects import Anthropic, Chat
from tests.e2e.harness import Finclaw, install_module
from tests.wire.server import VectorServer, threaded

EXAMPLE = files_of(ROOT / "docs" / "how-to" / "write-a-plugin.md")["acme_models.py"]
ENV = {"FINCLAW_PLUGINS": "acme-models", "ACME_API_KEY": "acme-key-0123456789", "OPENAI_API_KEY": "sk-other-0123456789"}


@pytest.fixture(params=[("openai-chat", Chat(), "/v1"), ("anthropic", Anthropic(), "")], ids=["chat", "messages"])
def served(
    request: pytest.FixtureRequest, finclaw: Finclaw, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Finclaw, VectorServer]]:
    api, dialect, path = request.param
    plugins = tmp_path_factory.mktemp("acme")
    with threaded(dialect.text("I am Acme.")) as server:
        source = EXAMPLE.replace("https://models.acme.example/v1", server.url + path).replace("openai-chat", api)
        install_module(plugins, "acme-models", source)
        command = replace(in_own_home(finclaw, tmp_path), plugins=plugins)
        assert command("plugins", "trust", "acme-models", env=ENV).code == 0
        yield command, server


@pytest.mark.parametrize("model", ["acme:large", "acme-large"])
def test_its_models_are_asked_with_its_key_alone(served: tuple[Finclaw, VectorServer], model: str) -> None:
    finclaw, server = served
    ran = finclaw("run", "-o", "ndjson", "-m", model, "-t", "none", "Who are you?", env=ENV)
    assert (ran.result["text"], ran.result["model"]) == ("I am Acme.", model if ":" in model else f"acme:{model}")
    sent = str(server.requests[0].headers)
    assert "acme-key-0123456789" in sent
    assert "sk-other" not in sent


def test_without_its_key_nothing_is_sent(served: tuple[Finclaw, VectorServer]) -> None:
    finclaw, server = served
    ran = finclaw("run", "-m", "acme:large", "x", env={**ENV, "ACME_API_KEY": ""})
    assert ran.code == 3
    assert "ACME_API_KEY" in ran.stderr
    assert server.requests == []
