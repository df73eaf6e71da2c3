"""The JSON Schema of a settings file accepts what finclaw accepts, and nothing else."""

from __future__ import annotations

from typing import Any

import jsonschema_rs
import pytest

from finclaw_cli.core.checked import checked
from finclaw_cli.settings.model import NAMES, Settings
from finclaw_cli.settings.schema import settings_schema

GOOD: list[dict[str, Any]] = [
    {},
    {"model": "anthropic:x", "max_turns": 3, "timeout": 1.5, "deltas": False},
    {"as_of": "2026-01-31", "max_cost": "0.50", "tools": ["finance:*"]},
    {"providers": {"mine": {"base_url": "http://127.0.0.1:1", "api": "openai-chat"}}},
    {"models": {"mine:x": {"window": 8_000, "input_usd": 1, "output_usd": "2.5"}}},
    {"profile": {"markets": ["XNYS"], "currency": "USD"}, "plugin": {"acme": {"level": 3}}},
]
WRONG: list[dict[str, Any]] = [
    {"max_turnz": 3},
    {"max_turns": 0},
    {"max_turns": "3"},
    {"timeout": 0},
    {"output": "yaml"},
    {"model": ""},
    {"agent": "no spaces"},
    {"providers": {"mine": {"url": "x"}}},
    {"profile": {"markets": ["nyse"]}},
    {"tools": "finance:*"},
]


def test_every_setting_is_in_it_with_its_description() -> None:
    properties = settings_schema()["properties"]
    assert isinstance(properties, dict)
    assert list(properties) == list(NAMES)
    assert all(isinstance(made, dict) and made["description"] for made in properties.values())


@pytest.mark.parametrize("given", GOOD, ids=str)
def test_what_finclaw_accepts_is_valid(given: dict[str, Any]) -> None:
    checked(Settings, given)
    assert jsonschema_rs.is_valid(settings_schema(), given)


@pytest.mark.parametrize("given", WRONG, ids=str)
def test_what_finclaw_refuses_is_not_valid(given: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"."):
        checked(Settings, given)
    assert not jsonschema_rs.is_valid(settings_schema(), given)
