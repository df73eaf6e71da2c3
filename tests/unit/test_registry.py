"""Tools by name."""

from __future__ import annotations

import pytest

from finclaw_cli.core.errors import UsageError
from finclaw_cli.core.tool import ToolDefinition, ToolGroup
from finclaw_cli.tools.registry import ToolEntry, ToolRegistry


def entry(name: str, origin: str = "acme", group: ToolGroup = "finance") -> ToolEntry:
    async def handler(arguments: object, context: object) -> object:
        return None

    spec = ToolDefinition(name=name, description="", input_schema={"type": "object"}, group=group, handler=handler)
    return ToolEntry(spec=spec, origin=origin, load=lambda: spec)


ENTRIES = [
    entry("get_quote", "finclaw-market"),
    entry("get_rate", "finclaw-market"),
    entry("fetch_page", "finclaw-web", "web"),
    entry("run_sql", "finclaw-data", "data"),
    entry("twin", "alpha"),
    entry("twin", "Beta.Quotes"),
]


@pytest.fixture
def registry() -> ToolRegistry:
    return ToolRegistry(ENTRIES)


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("get_quote", ENTRIES[0]),
        ("finclaw-market.get_quote", ENTRIES[0]),
        ("finclaw_market.get_quote", ENTRIES[0]),
        ("finclaw_market__get_quote", ENTRIES[0]),
        ("alpha.twin", ENTRIES[4]),
        ("beta.quotes.twin", ENTRIES[5]),
        ("Beta-Quotes.twin", ENTRIES[5]),
        ("beta_quotes__twin", ENTRIES[5]),
        ("twin", None),
        ("get_quot", None),
        ("finclaw-web.get_quote", None),
        (".get_quote", None),
        ("", None),
    ],
)
def test_what_a_name_means(registry: ToolRegistry, name: str, found: ToolEntry | None):
    assert registry.find(name) is found


def test_prefixed_names_are_fit_for_every_provider(registry: ToolRegistry):
    assert [item.qualified_name for item in registry.entries] == [
        "finclaw_web__fetch_page",
        "finclaw_market__get_quote",
        "finclaw_market__get_rate",
        "finclaw_data__run_sql",
        "beta_quotes__twin",
        "alpha__twin",
    ]


def test_a_name_that_two_claim_is_a_clash_until_the_settings_decide(registry: ToolRegistry):
    assert registry.clashes == {"twin": ("Beta.Quotes", "alpha")}
    with pytest.raises(UsageError, match=r"'twin' is offered by several plugins: Beta\.Quotes, alpha") as refused:
        registry.require("twin")
    assert refused.value.code == "tool_clash"
    assert "Beta.Quotes.twin" in (refused.value.hint or "")
    decided = ToolRegistry(ENTRIES, {"twin": "alpha"})
    assert decided.clashes == {}
    assert decided.require("twin").origin == "alpha"
    assert ToolRegistry(ENTRIES, {"twin": "nobody"}).clashes == registry.clashes


def test_preferring_one_leaves_the_other_its_prefixed_name():
    decided = ToolRegistry(ENTRIES, {"twin": "alpha"})
    assert [spec.name for spec in decided.offered(["*twin"])] == ["beta_quotes__twin", "twin"]


def test_names_written_almost_right_are_suggested(registry: ToolRegistry):
    with pytest.raises(UsageError, match="did you mean get_quote") as refused:
        registry.require("get_quotes")
    assert refused.value.code == "unknown_tool"
    with pytest.raises(UsageError) as refused:
        registry.require("zzz")
    assert "did you mean" not in refused.value.message


@pytest.mark.parametrize(
    ("wanted", "names"),
    [
        (None, ["alpha__twin", "beta_quotes__twin", "fetch_page", "get_quote", "get_rate"]),
        ([], []),
        (["run_sql"], ["run_sql"]),
        (["get_*"], ["get_quote", "get_rate"]),
        (["get_[q]*", "run_sql", "get_quote"], ["get_quote", "run_sql"]),
        (["data:*"], ["run_sql"]),
        (["finance:get_*"], ["get_quote", "get_rate"]),
        (["finance:get_quote"], ["get_quote"]),
        (["alpha.twin"], ["alpha__twin"]),
        (["*"], ["alpha__twin", "beta_quotes__twin", "fetch_page", "get_quote", "get_rate", "run_sql"]),
    ],
)
def test_what_is_offered(registry: ToolRegistry, wanted: list[str] | None, names: list[str]):
    assert [spec.name for spec in registry.offered(wanted)] == names


@pytest.mark.parametrize("wanted", ["twin", "nothing", "get-quote"])
def test_an_unknown_or_disputed_tool_cannot_be_offered(registry: ToolRegistry, wanted: str):
    with pytest.raises(UsageError):
        registry.offered(["get_quote", wanted])
