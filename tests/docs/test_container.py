"""The container that the documents describe: what a linter does not ask for. `.ci/containers` runs the linters."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
import yaml

from tests.docs.pages import ROOT, files_of

PAGE = ROOT / "docs" / "how-to" / "serve.md"
CLUSTER = files_of(ROOT / "docs" / "how-to" / "cluster.md")["compose.yaml"]


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


@pytest.mark.parametrize("name", ["serve", "tables", "worker"])
def test_a_service_beside_the_database_can_write_to_its_data_alone(name: str):
    service = yaml.safe_load(CLUSTER)["services"][name]
    assert (service["read_only"], service["cap_drop"], service["tmpfs"]) == (True, ["ALL"], ["/tmp"])
    home = next((each for each in service["environment"] if each.startswith("FINCLAW_HOME=/tmp/")), None)
    assert (home is None) == (service.get("volumes") == ["data:/data"])


def test_the_database_is_in_no_network_with_a_way_out():
    file = yaml.safe_load(CLUSTER)
    assert [file["networks"][name] for name in file["services"]["database"]["networks"]] == [{"internal": True}]
    assert "ports" not in file["services"]["database"]


def test_no_package_of_another_author_is_installed_in_place_of_ours():
    (install,) = re.findall(r"pip install ([^&]*)", files_of(PAGE)["Containerfile"].replace("\\\n", ""))
    assert install.split() == ["--no-cache-dir", "/wheels/*.whl", '"$1[serve,cluster]"']
