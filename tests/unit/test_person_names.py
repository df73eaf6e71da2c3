"""Which capitalised words are the name of a person."""

from __future__ import annotations

import pytest

from finclaw_cli.masking.people import is_name, is_person


@pytest.mark.parametrize("family", ["miller", "goldman", "schwab"])
def test_a_family_name_before_another_word_is_one_of_a_person_in_a_list_alone(family: str) -> None:
    assert is_name(family)
    assert not is_person([family, "holdings"], is_list=False)
    assert is_person([family, "holdings"], is_list=True)


def test_a_family_name_in_the_last_place_is_one_of_a_person() -> None:
    assert is_person(["thandeka", "miller"], is_list=False)
