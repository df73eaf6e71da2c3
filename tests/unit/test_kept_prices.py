"""A price from the file is the library's own, for every model of the data that is kept and every usage."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Context, Decimal, localcontext
from pathlib import Path

import pytest
from genai_prices import Usage as Counted
from genai_prices import calc_price
from genai_prices.data import providers
from hypothesis import given, settings
from hypothesis import strategies as st

from finclaw_cli.catalog.price_data import MAKERS
from finclaw_cli.catalog.price_file import MOST_MODELS, PriceFile
from finclaw_cli.catalog.prices import Cost, cost_of
from finclaw_cli.core.usage import Usage
from tests.unit.priced_usages import CASES, NOW, Priced
from tests.unit.test_prices import SOURCE, usage_of

COUNTS = st.one_of(st.integers(0, 10), st.integers(0, 10**6), st.integers(0, 10**12))
USAGES = st.builds(
    lambda hour, more, **counts: Usage(cache_write=hour + more, cache_write_1h=hour, **counts),
    COUNTS, COUNTS, input=COUNTS, output=COUNTS, cache_read=COUNTS, reasoning=COUNTS,
)  # fmt: skip


BESIDE_A_TIER = st.integers(-2, 2)


def large(input_tokens: int, kinds: tuple[int, int, int], output: int) -> Usage:
    """A request of so many input tokens, of which some come from a cache and some go to one."""
    read, written, for_an_hour = kinds
    read = min(read, input_tokens)
    written = min(written, input_tokens - read)
    return Usage(
        input=input_tokens - read - written,
        output=output,
        cache_read=read,
        cache_write=written,
        cache_write_1h=min(for_an_hour, written),
    )


def library(provider: str, model: str, usage: Usage, *, cached: bool = True) -> Decimal:
    """What the library itself says."""
    cache = {
        "cache_read_tokens": usage.cache_read,
        "cache_write_tokens": usage.cache_write,
        "cache_write_1h_tokens": usage.cache_write_1h,
    }
    tokens = usage.input + usage.cache_read + usage.cache_write
    counted = Counted(input_tokens=tokens, output_tokens=usage.output, **(cache if cached else {}))
    with localcontext(Context(prec=100)):
        asked = calc_price(counted, model, provider_id=MAKERS.get(provider, provider), genai_request_timestamp=NOW)
        return asked.total_price


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[str, str, PriceFile]]:
    """One model for each price list that there is, with a file that has been read back."""
    return list(price_lists(tmp_path_factory.mktemp("kept")))


@pytest.fixture(scope="module")
def tiered(kept: list[tuple[str, str, PriceFile]]) -> list[tuple[str, str, PriceFile, int]]:
    """Those of them that have tiers, once for each, with where it begins."""
    return [
        (provider, model, file, tier.above_input_tokens)
        for provider, model, file in kept
        if (price := file.known(provider, model).price) is not None and price.listed is not None
        for tier in price.listed.tiers
    ]


def price_lists(folder: Path) -> Iterator[tuple[str, str, PriceFile]]:
    seen: set[str] = set()
    for provider, model in ((seller.id, sold.id) for seller in providers for sold in seller.models):
        asked = PriceFile(None)
        cost_of(provider, model, Usage(), NOW, {}, kept=asked)
        price = asked.known(provider, model).price
        if price is None or price.listed is None or str(price) in seen:
            continue
        path = folder / f"{len(seen)}.json"
        seen.add(str(price))
        PriceFile(path).keep_price(provider, model, price)
        yield provider, model, PriceFile(path)


def test_most_price_lists_are_kept_and_read_back_as_they_were(kept: list[tuple[str, str, PriceFile]]) -> None:
    assert len(kept) > 200
    for provider, model, file in kept:
        assert file.known(provider, model).price_at(NOW) is not None


def test_as_many_are_read_back_as_are_kept_however_long_their_price_lists(
    kept: list[tuple[str, str, PriceFile]], tmp_path: Path
) -> None:
    longest = max(
        (file.known(provider, model).price for provider, model, file in kept), key=lambda price: len(str(price))
    )
    assert longest is not None
    path = tmp_path / "prices.json"
    names = [f"model-{number}" for number in range(MOST_MODELS)]
    file = PriceFile(path)
    for name in names:
        file.keep_price("local", name, longest)
    assert {PriceFile(path).known("local", name).price for name in names} == {longest}


@settings(max_examples=8, deadline=None)
@given(usage=USAGES)
def test_a_kept_price_is_the_librarys_to_the_last_digit(usage: Usage, kept: list[tuple[str, str, PriceFile]]) -> None:
    for provider, model, file in kept:
        found = cost_of(provider, model, usage, NOW, {}, kept=file)
        assert found.source == SOURCE
        assert found.usd == library(provider, model, usage), model
        assert found.uncached_usd == library(provider, model, usage, cached=False), model


@settings(max_examples=16, deadline=None)
@given(beside=BESIDE_A_TIER, kinds=st.tuples(COUNTS, COUNTS, COUNTS), output=COUNTS)
def test_a_kept_price_is_the_librarys_where_its_tiers_begin(
    beside: int, kinds: tuple[int, int, int], output: int, tiered: list[tuple[str, str, PriceFile, int]]
) -> None:
    for provider, model, file, start in tiered:
        usage = large(start + beside, kinds, output)
        found = cost_of(provider, model, usage, NOW, {}, kept=file)
        assert found.usd == library(provider, model, usage), (model, usage)
        assert found.uncached_usd == library(provider, model, usage, cached=False), (model, usage)


def test_the_rates_of_a_tier_are_those_of_more_tokens_than_it_begins_with(
    tiered: list[tuple[str, str, PriceFile, int]],
) -> None:
    for provider, model, file, start in tiered:
        price = file.known(provider, model).price_at(NOW)
        assert price is not None
        assert price.listed is not None
        above = price.listed.rates_at(start + 1)
        assert price.listed.rates_at(start) != above
        assert above in {tier.rates for tier in price.listed.tiers}


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_recorded_usage_costs_the_same_when_it_is_asked_again(case: Priced, tmp_path: Path) -> None:
    by_hand = Cost(usd=Decimal(case.usd), uncached_usd=Decimal(case.uncached_usd), source=SOURCE)
    for _ in range(2):
        file = PriceFile(tmp_path / "prices.json")
        found = cost_of(case.provider, case.model, usage_of(case), case.at, {}, kept=file)
        assert found == by_hand
        assert (str(found.usd), str(found.uncached_usd)) == (str(by_hand.usd), str(by_hand.uncached_usd))
