"""The description of the API: valid OpenAPI, and what the server really answers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from openapi_spec_validator import validate

from finclaw_cli.serve.endpoints import ENDPOINTS
from tests.agent.scripts import Scripts
from tests.serve.clients import Served

pytestmark = pytest.mark.asyncio


async def test_it_is_valid_openapi_with_every_endpoint(served: Served):
    document = await served.get("/v1/openapi.json")
    validate(document)
    described = {(method.upper(), path) for path, methods in document["paths"].items() for method in methods}
    assert described == {(each.method, each.path) for each in ENDPOINTS}
    operations = [each["operationId"] for methods in document["paths"].values() for each in methods.values()]
    assert len(set(operations)) == len(operations)


async def test_answers_have_the_shapes_that_it_describes(served: Served, script: Scripts):
    run_id = await served.start("How are apples?", model=script({"text": "Fine."}), session="talk")
    await served.result(run_id)
    document = await served.get("/v1/openapi.json")
    paths = {
        "/v1/runs": "/v1/runs", "/v1/runs/{run_id}": f"/v1/runs/{run_id}", "/v1/approvals": "/v1/approvals",
        "/v1/sessions": "/v1/sessions?query=apples", "/v1/sessions/{session_id}": "/v1/sessions/talk",
        "/v1/cost": "/v1/cost", "/v1/tools": "/v1/tools", "/v1/models": "/v1/models", "/v1/settings": "/v1/settings",
        "/v1/schema": "/v1/schema", "/v1/health": "/v1/health",
    }  # fmt: skip
    for path, address in paths.items():
        answer = await served.http.get(address)
        described = document["paths"][path]["get"]["responses"]["200"]
        check(document, described["content"]["application/json"]["schema"], answer.json())
    question = {"tool": "no-such-tool"}
    refused = await served.http.post("/v1/policy/explain", json=question)
    refusal = document["paths"]["/v1/policy/explain"]["post"]["responses"]["default"]
    check(document, refusal["content"]["application/json"]["schema"], refused.json())


async def test_the_body_of_a_run_is_described_by_its_settings(served: Served, without_plugins: Path):
    document = await served.get("/v1/openapi.json")
    wanted = {"$ref": "#/components/schemas/WantedRun"}
    check(document, wanted, {"prompt": "x", "model": "demo", "max_turns": 3, "tools": ["none"]})
    for wrong in ({"prompt": 1}, {"max_turns": 0}, {"output": "text"}, {"providers": {}}):
        with pytest.raises(jsonschema_rs.ValidationError):
            check(document, wanted, wrong)


def check(document: dict[str, Any], schema: dict[str, Any], value: object) -> None:
    """Check a value by a schema of the document."""
    jsonschema_rs.validator_for({**schema, "components": document["components"]}).validate(value)
