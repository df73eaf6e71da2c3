"""Social security numbers are found in sets of texts of many kinds, and little else is taken for one."""

from __future__ import annotations

import pytest

from finclaw_cli.masking.private import mask_private
from tests.masking.ssn_set import MORE_PRIVATE, MORE_PUBLIC, PRIVATE, PUBLIC, cases

TIMES = 12


@pytest.mark.parametrize("templates", [PRIVATE, MORE_PRIVATE], ids=["first", "second"])
def test_of_a_hundred_numbers_ninety_nine_are_found(templates: str):
    every = list(cases(templates, TIMES, seed=18))
    missed = [text for text, number in every if number in mask_private(text).text]
    assert len(missed) <= 0.01 * len(every), missed[:20]


@pytest.mark.parametrize("templates", [PUBLIC, MORE_PUBLIC], ids=["first", "second"])
def test_of_a_thousand_other_numbers_at_most_one_is_masked(templates: str):
    every = list(cases(templates, TIMES, seed=81))
    mistaken = [text for text, number in every if number not in mask_private(text).text]
    assert len(mistaken) <= 0.001 * len(every), mistaken[:20]


@pytest.mark.parametrize("text", ["Phone: 555-12-3456", "Budget 2024: 500-10-2000"])
def test_a_number_that_is_said_to_be_another_thing_stays(text: str):
    assert mask_private(text).text == text
