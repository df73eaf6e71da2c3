"""What the price data has said before costs the same without it: to the last digit, or it is asked again."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from importlib.metadata import version
from pathlib import Path

import pytest
from genai_prices import data_snapshot

from finclaw_cli.catalog import windows
from finclaw_cli.catalog.price_file import MOST_MODELS, KnownWindow, PriceFile
from finclaw_cli.catalog.prices import NO_PRICE, Cost, cost_of
from finclaw_cli.catalog.windows import Window, window_of
from finclaw_cli.core.usage import Usage
from tests.unit.priced_usages import NOW

SOURCE = f"genai-prices {version('genai-prices')}"
EXAMPLE = Usage(input=1000, output=500, cache_read=200, cache_write=100, cache_write_1h=30)
FLAT = ("anthropic", "claude-opus-4-8")
TIERED = ("anthropic", "claude-sonnet-4-5")
LARGE = replace(EXAMPLE, input=200_000)
DATED = ("openai", "o3")
FAR = timezone(timedelta(hours=14))


@pytest.fixture(autouse=True)
def nothing_remembered() -> None:
    windows._looked_up.cache_clear()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "home" / "cache" / "prices.json"


@contextmanager
def no_price_data() -> Iterator[None]:
    """Whoever asks the price data now gets no answer."""
    windows._looked_up.cache_clear()
    data_snapshot.set_custom_snapshot("broken")  # type: ignore[arg-type]
    try:
        yield
    finally:
        data_snapshot.set_custom_snapshot(None)


def cost(model: tuple[str, str], kept: PriceFile, at: datetime = NOW, usage: Usage = EXAMPLE) -> Cost:
    return cost_of(*model, usage, at, {}, kept=kept)


def is_kept(model: tuple[str, str], path: Path, at: datetime = NOW) -> bool:
    return PriceFile(path).known(*model).price_at(at) is not None


@pytest.mark.parametrize("model", [FLAT, TIERED, ("openai", "gpt-6.1-sol")], ids=str)
def test_what_was_asked_once_is_told_without_the_price_data(model: tuple[str, str], path: Path) -> None:
    asked = cost(model, PriceFile(path)), window_of(*model, {}, PriceFile(path))
    with no_price_data():
        assert (cost(model, PriceFile(path)), window_of(*model, {}, PriceFile(path))) == asked
        assert cost(("openai", "gpt-4o"), PriceFile(path)) == NO_PRICE
    assert asked[0].source == asked[1].source == SOURCE


def test_a_small_request_that_was_asked_for_tells_what_a_large_one_costs(path: Path) -> None:
    small, large = (cost(TIERED, PriceFile(None), usage=usage) for usage in (EXAMPLE, LARGE))
    assert cost(TIERED, PriceFile(path)) == small
    with no_price_data():
        assert cost(TIERED, PriceFile(path), usage=LARGE) == large
    assert large != small


def test_a_process_that_has_asked_before_imports_no_price_data(path: Path) -> None:
    code = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from finclaw_cli.catalog.price_file import PriceFile
from finclaw_cli.catalog.prices import cost_of
from finclaw_cli.catalog.windows import window_of
from finclaw_cli.core.usage import Usage
for model in ("gpt-4o", "gpt-6.1-sol", "gpt-nobody-has-made"):
    kept = PriceFile(Path(sys.argv[1]))
    window_of("openai", model, {}, kept)
    print(cost_of("openai", model, Usage(input=1_000_000), datetime.now(UTC), {}, kept=kept).source, end=";")
print(*{"genai_prices", "pydantic", "importlib.metadata"} & set(sys.modules))
"""
    command = [sys.executable, "-c", code, str(path)]
    first, later = (subprocess.run(command, check=True, capture_output=True, text=True).stdout for _ in range(2))
    assert "genai_prices" in first
    assert later == f"{SOURCE};{SOURCE};;\n"


def test_that_a_model_is_unknown_is_kept_too(path: Path) -> None:
    nobody = ("openai", "gpt-nobody-has-made")
    assert cost(nobody, PriceFile(path)) == NO_PRICE
    assert window_of(*nobody, {}, PriceFile(path)).is_assumed
    known = PriceFile(path).known(*nobody)
    assert known.price is not None
    assert known.price.listed is None
    assert known.window == KnownWindow(tokens=None)
    assert cost(nobody, PriceFile(path)) == NO_PRICE


def test_that_the_price_data_failed_is_not_kept(path: Path) -> None:
    with no_price_data():
        assert cost(FLAT, PriceFile(path)) == NO_PRICE
        assert window_of(*FLAT, {}, PriceFile(path)).is_assumed
    assert not path.exists()
    assert cost(FLAT, PriceFile(path)).usd is not None


@pytest.mark.parametrize(
    "model",
    [
        ("deepseek", "deepseek-v4-pro"),  # by the time of day
        ("perplexity", "sonar-pro"),  # something for the request itself
        ("openai", "gpt-realtime"),  # tokens of sound
    ],
)
def test_what_more_than_its_tokens_decide_is_asked_each_time(model: tuple[str, str], path: Path) -> None:
    assert cost(model, PriceFile(path)).usd is not None
    assert not is_kept(model, path)
    assert cost(model, PriceFile(path)) == cost(model, PriceFile(None))


def test_a_dated_price_holds_for_its_day_in_utc(path: Path) -> None:
    assert cost(DATED, PriceFile(path)).usd is not None
    late = NOW.replace(hour=23, minute=59)
    for at in (late, late.replace(tzinfo=None), (NOW + timedelta(hours=1)).astimezone(FAR)):
        assert is_kept(DATED, path, at)
    for at in (NOW - timedelta(seconds=1), NOW + timedelta(days=1), NOW.replace(tzinfo=FAR)):
        assert not is_kept(DATED, path, at)


def test_a_price_that_was_cut_is_not_taken_for_the_one_before(path: Path) -> None:
    model, before = ("openai", "gpt-5.6-sol"), datetime(2026, 8, 1, tzinfo=UTC)
    for at in (before, NOW, before):
        assert cost(model, PriceFile(path), at) == cost(model, PriceFile(None), at)
    assert cost(model, PriceFile(path), before) != cost(model, PriceFile(path), NOW)


def test_a_flat_price_holds_for_every_day(path: Path) -> None:
    cost(FLAT, PriceFile(path))
    assert is_kept(FLAT, path, NOW - timedelta(days=1000))
    assert is_kept(FLAT, path, NOW + timedelta(days=1000))


def forged(path: Path, old: str, new: str, model: tuple[str, str] = FLAT) -> bytes:
    """What a file of ours says, with one thing changed."""
    cost(model, PriceFile(path))
    text = path.read_text()
    assert old in text
    return text.replace(old, new).encode()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("genai-prices ", "genai-prices 0."),
        ('"made_by": "', '"made_by": "9'),
        ('"made_by"', '"made"'),
        ('"models"', '"model"'),
        ('"input_usd": "5"', '"input_usd": "-5"'),
        ('"input_usd": "5"', '"input_usd": "NaN"'),
        ('"input_usd": "5"', '"input_usd": "Infinity"'),
        ('"input_usd": "5"', '"input_usd": "five"'),
        ('"input_usd": "5"', '"input_usd": 5.0'),
        ('"input_usd": "5"', '"input_usd": null'),
        ('"input_usd": "5", ', ""),
        ('"input_usd": "5"', '"input_usd": "5", "audio_usd": "7"'),
        ('"day": null', '"day": 7'),
        ('"day": null', '"day": "someday"'),
        ('{"window"', '7, "x": {"window"'),
        ("}", ""),
        ('{"made_by"', "[" * 100_000 + '{"made_by"'),
        ('{"made_by"', " " * 100_000 + '{"made_by"'),
    ],
)
def test_a_file_that_is_not_ours_or_not_of_now_is_made_anew(path: Path, old: str, new: str) -> None:
    path.write_bytes(forged(path, old, new))
    assert not is_kept(FLAT, path)
    assert cost(FLAT, PriceFile(path)) == cost(FLAT, PriceFile(None))
    assert is_kept(FLAT, path)


@pytest.mark.parametrize("start", ["-1", "1e5", '"200000"', "null", "true", "1000000000000"])
def test_a_tier_that_cannot_be_is_asked_for_anew(path: Path, start: str) -> None:
    path.write_bytes(forged(path, '"above_input_tokens": 200000', f'"above_input_tokens": {start}', TIERED))
    assert not is_kept(TIERED, path)
    assert cost(TIERED, PriceFile(path), usage=LARGE) == cost(TIERED, PriceFile(None), usage=LARGE)
    assert is_kept(TIERED, path)


@pytest.mark.parametrize("content", [b"", b"\xff\xfe", b"[]", b"7", b'"made_by"', b'{"made_by": "x", "models": 7}'])
def test_a_file_that_is_none_is_made_anew(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True)
    path.write_bytes(content)
    assert cost(FLAT, PriceFile(path)) == cost(FLAT, PriceFile(None))
    assert is_kept(FLAT, path)


def test_a_pipe_in_the_place_of_the_file_is_not_waited_for(path: Path) -> None:
    path.parent.mkdir(parents=True)
    os.mkfifo(path)
    assert cost(FLAT, PriceFile(path)) == cost(FLAT, PriceFile(None))


def test_a_folder_that_cannot_be_made_costs_no_price(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("no folder")
    kept = PriceFile(tmp_path / "cache" / "prices.json")
    asked = cost(FLAT, kept)
    assert asked == cost(FLAT, PriceFile(None))
    with no_price_data():
        assert cost(FLAT, kept) == asked


def test_two_that_have_read_the_file_keep_what_either_asks(path: Path) -> None:
    one, other = PriceFile(path), PriceFile(path)
    for kept in (one, other):
        assert kept.known(*FLAT).price is None
    cost(FLAT, one)
    window_of(*FLAT, {}, other)
    cost(("openai", "gpt-4o"), other)
    known = PriceFile(path).known(*FLAT)
    assert (known.price is not None, known.window) == (True, KnownWindow(tokens=1_000_000))
    assert is_kept(("openai", "gpt-4o"), path)


def test_only_so_many_models_are_kept_the_last_of_them(path: Path) -> None:
    kept = PriceFile(path)
    for number in range(MOST_MODELS + 3):
        kept.keep_window("local", f"model-{number}", KnownWindow(tokens=number + 1))
    later = PriceFile(path)
    found = [later.known("local", f"model-{number}").window for number in range(MOST_MODELS + 3)]
    assert found[:3] == [None] * 3
    assert found[3:] == [KnownWindow(tokens=number + 1) for number in range(3, MOST_MODELS + 3)]


def test_what_is_kept_is_private_and_names_no_model(path: Path) -> None:
    cost(("openai", "sk-ant-canary-0123456789"), PriceFile(path))
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert "canary" not in path.read_text()
    assert len(json.loads(path.read_text())["models"]) == 1


@pytest.mark.parametrize("model", ["", "x.json", "/tmp/claude-opus-4-8", "gpt-4o\n"])
def test_what_cannot_be_a_models_name_is_not_kept(path: Path, model: str) -> None:
    assert cost(("openai", model), PriceFile(path)) == NO_PRICE
    assert window_of("openai", model, {}, PriceFile(path)) == Window(128_000, "assumed")
    assert not path.exists()
