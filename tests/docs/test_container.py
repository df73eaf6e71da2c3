"""The container that the documents describe: what a linter does not ask for. `.ci/containers` runs the linters."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
import yaml

from finclaw_cli import __version__
from tests.docs.pages import ROOT, files_of

PAGE = ROOT / "docs" / "how-to" / "serve.md"


@pytest.fixture
def instructions() -> dict[str, str]:
    """The last instruction of each kind."""
    lines = files_of(PAGE)["Containerfile"].replace("\\\n", "").splitlines()
    return dict(line.split(maxsplit=1) for line in lines)


@pytest.fixture
def service() -> dict[str, Any]:
    return dict(yaml.safe_load(files_of(PAGE)["compose.yaml"])["services"]["finclaw"])


def test_the_container_is_not_roots(instructions: dict[str, str]):
    assert int(instructions["USER"]) > 0


def test_the_container_says_whether_it_is_healthy(instructions: dict[str, str]):
    command = json.loads(instructions["HEALTHCHECK"].partition(" CMD ")[2])
    assert re.search(r"http://127\.0\.0\.1:(\d+)/v1/health", command[-1])[1] == instructions["EXPOSE"]  # type: ignore[index]


def test_the_service_can_write_to_its_data_alone(service: dict[str, Any], instructions: dict[str, str]):
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["volumes"] == [f"data:{instructions['ENV'].partition('=')[2]}", "./token:/run/secrets/token:ro"]


def test_the_service_can_be_reached_from_this_machine_alone(service: dict[str, Any]):
    assert all(port.startswith("127.0.0.1:") for port in service["ports"])


def test_the_image_is_of_this_version(service: dict[str, Any]):
    assert service["build"]["args"] == {"VERSION": __version__}
