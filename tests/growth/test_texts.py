"""Text from outside is cleaned, masked and assembled in time that is proportional to its length."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from finclaw_cli.core.chunks import MAX_CALLS, Done, ToolUseEnd, ToolUseStart
from finclaw_cli.core.clean import clean
from finclaw_cli.masking.private import mask_private
from finclaw_cli.testing.growth import MOST, growth
from tests.unit.test_assemble import assemble

STRINGS = {
    "a string without end": "\x90",
    "an escape in a string": "\x1b]",
    "a sequence": "\x9b0",
    "an escape": "\x1b ",
}


@pytest.mark.parametrize("opening", STRINGS.values(), ids=STRINGS)
@pytest.mark.parametrize("end", ["", "\x1bX", "\n", "\x1b"], ids=ascii)
def test_four_times_the_text_is_cleaned_with_four_times_the_work(opening: str, end: str) -> None:
    assert growth(lambda size: lambda: clean(opening * size + end), 4_000) < MOST


@pytest.mark.parametrize(
    "row",
    [
        "<tr><td>362-29-7197</td><td>{}</td></tr>",
        "<tr><th>Order</th><td>362-29-7197</td><td>{}</td></tr>",
        "Order 362-29-7197 of Kx{}a Lo{}b, shipped\n",
        "362-29-7197  Gasket {}, rubber\n",
        "362 29 7197 {} ",
    ],
)
def test_four_times_the_numbers_are_masked_with_four_times_the_work(row: str) -> None:
    def prepare(size: int) -> Callable[[], object]:
        text = "<table><tr><th>Order</th></tr>\n" + "".join(row.format(index, index) for index in range(size))
        return lambda: mask_private(text)

    assert growth(prepare, 400) <= MOST


def test_four_times_the_calls_are_assembled_with_four_times_the_work() -> None:
    def prepare(count: int) -> Callable[[], object]:
        starts = [ToolUseStart(f"a call with a long id {number}", "t") for number in range(count)]
        ends = [ToolUseEnd(start.id) for start in starts]
        return lambda: assemble(*starts, *ends, Done(stop_reason="tool_use"))

    assert growth(prepare, MAX_CALLS // 4) < MOST
