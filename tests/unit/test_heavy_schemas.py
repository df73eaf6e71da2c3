"""Which values are checked in a process of their own: by what the check would cost."""

from __future__ import annotations

import pytest

from finclaw_cli.core.json_schema import MAX_STEPS, is_heavy

PATTERN = {"type": "array", "items": {"type": "string", "pattern": "a+"}}
PLAIN = {"type": "array", "items": {"type": "string"}}


@pytest.mark.parametrize(
    ("schema", "count", "heavy"),
    [(PATTERN, 10, False), (PATTERN, 100, True), (PLAIN, 100, False), (PLAIN, MAX_STEPS // 4, True)],
    ids=["few for a pattern", "many for a pattern", "few for a type", "many for a type"],
)
def test_the_size_of_a_value_counts_for_each_part_of_its_schema(schema: dict[str, object], count: int, heavy: bool):
    assert is_heavy(schema, ["a"] * count) is heavy


def test_a_schema_without_an_end_is_heavy_for_any_value():
    assert is_heavy({"$ref": "#"}, 1)
