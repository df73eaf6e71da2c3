"""Tools by name."""

from __future__ import annotations

from dataclasses import replace

import pytest

from finclaw_cli.core.errors import UsageError
from finclaw_cli.core.tool import GROUPS, ToolDefinition, ToolGroup
from finclaw_cli.tools.declare import ToolAt, name_of, tool
from finclaw_cli.tools.registry import ToolEntry, ToolRegistry


def entry(name: str, origin: str = "acme", group: ToolGroup = "finance", source: str = "builtin") -> ToolEntry:
    async def handler(arguments: object, context: object) -> object:
        return None

    schema = {"type": "object"}
    spec = ToolDefinition(name=name, description="", input_schema=schema, group=group, handler=handler, source=source)
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


NEVER = {**GROUPS, "finance": replace(GROUPS["finance"], offer="never")}


@pytest.mark.parametrize("wanted", ["get_quote", "finclaw-market.get_quote", "finclaw_market__get_quote"])
def test_a_tool_whose_group_is_never_offered_cannot_be_named(registry: ToolRegistry, wanted: str):
    with pytest.raises(UsageError, match="of the group finance, which the settings never offer"):
        registry.offered([wanted], groups=NEVER)


def test_globs_and_skills_pass_over_a_group_that_is_never_offered(registry: ToolRegistry):
    offered = registry.offered(["*"], ["get_quote"], NEVER)
    assert "get_quote" not in [spec.name for spec in offered]


STRANGERS = [entry("get_quote", "evil", source="plugin:evil"), entry("odd", "evil", source="plugin:evil")]
OWNED = ToolRegistry([*STRANGERS, *ENTRIES])


def test_a_trusted_tool_keeps_its_name_against_one_that_nobody_trusts():
    assert OWNED.find("get_quote") is ENTRIES[0]
    assert OWNED.find("evil.get_quote") is STRANGERS[0]
    assert "get_quote" not in OWNED.clashes
    assert OWNED.overruled == [(STRANGERS[0], ENTRIES[0])]


def test_the_settings_may_prefer_one_that_nobody_trusts():
    decided = ToolRegistry([*STRANGERS, *ENTRIES], {"get_quote": "evil"})
    assert decided.find("get_quote") is STRANGERS[0]
    assert decided.overruled == []


def test_two_that_nobody_trusts_clash():
    twins = ToolRegistry([entry("odd", "vile", source="plugin:vile"), *STRANGERS])
    assert twins.clashes == {"odd": ("evil", "vile")}


@pytest.mark.parametrize("wanted", ["*", "get_*", "finance:*", "finance:get_quote"])
def test_no_glob_offers_what_nobody_trusts(wanted: str):
    assert OWNED.offered([wanted]) == ToolRegistry(ENTRIES).offered([wanted])


def test_a_glob_that_means_only_what_nobody_trusts_is_refused():
    with pytest.raises(UsageError, match=r"no tool matches 'od\*'") as refused:
        OWNED.offered(["od*"])
    assert "has to be named" in (refused.value.hint or "")


def test_written_out_it_is_offered():
    assert [spec.name for spec in OWNED.offered(["odd", "evil.get_quote"])] == ["evil__get_quote", "odd"]


def test_in_a_run_a_prefixed_name_does_not_become_the_bare_one():
    run = OWNED.only(OWNED.offered(["evil.get_quote", "odd"]))
    assert run.find("get_quote") is None
    assert run.find("evil__get_quote") is STRANGERS[0]
    assert run.find("odd") is STRANGERS[1]


def test_a_disputed_name_is_answered_with_the_names_that_work(registry: ToolRegistry):
    assert registry.near("twin") == ["alpha__twin", "beta_quotes__twin"]


def test_of_two_tools_of_one_distribution_with_the_same_name_the_first_counts():
    first, second = entry("quote"), entry("quote", group="data")
    assert ToolRegistry([first, second]).find("quote") is first


def test_the_name_of_what_a_plugin_offers_is_known_before_it_is_defined() -> None:
    @tool(group="finance")
    def price(symbol: str) -> str:
        """A price."""
        return symbol

    @tool(group="finance", name="get_quote")
    def quote(symbol: str) -> str:
        """A quote."""
        return symbol

    assert [name_of(each) for each in (price, quote, ToolAt("acme.tools:buy"), 7)] == [
        "price",
        "get_quote",
        "buy",
        None,
    ]
