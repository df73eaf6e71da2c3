"""Several private numbers in one value: all are masked, in each form in which a name can mark a value."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finclaw_cli.masking.private import mask_private

FORMS = {
    "JSON": '{{"{name}": "{value}"}}',
    "a list of JSON": '{{"{name}": ["{value}"]}}',
    "CSV": 'name,{name}\nKim,"{value}"\n',
    "Markdown": "| name | {name} |\n|---|---|\n| Kim | {value} |\n",
    "SQL": "INSERT INTO t (id, {name}) VALUES (1, '{value}');",
    "an element": "<x><{name}>{value}</{name}></x>",
    "a field of a form": '<input name="{name}" value="{value}">',
    "a table of HTML": "<table><tr><th>x</th><th>{name}</th></tr><tr><td>1</td><td>{value}</td></tr></table>",
}
SEPARATORS = (", ", ",", "; ", ";", " ", " / ", "/", " and ", "-", " - ", ": ")
NUMBERS = {
    "account_number": r"[1-9][0-9]{9}|U[1-9][0-9]{6}|110-[1-9][0-9]{2}-[0-9]{6}",
    "card_number": r"4[0-9]{15}|4[0-9]{3}(?: [0-9]{4}){3}|4[0-9]{3}(?:-[0-9]{4}){3}",
    "ssn": r"[1-5][1-9]{2}-[1-9]{2}-[1-9]{4}",
    "routing_number": r"0[1-9][0-9]{7}",
    "iban": r"DE[1-9][0-9]{19}",
}


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
@given(
    st.sampled_from(sorted(NUMBERS)).flatmap(
        lambda name: st.tuples(
            st.just(name),
            st.lists(
                st.from_regex(NUMBERS[name], fullmatch=True, alphabet=st.characters(codec="ascii")),
                min_size=2,
                max_size=8,
            ),
            st.sampled_from(SEPARATORS),
        )
    )
)
def test_each_of_several_private_numbers_is_masked(form: str, value: tuple[str, list[str], str]) -> None:
    name, numbers, separator = value
    masked = mask_private(form.format(name=name, value=separator.join(numbers))).text
    assert [number for number in numbers if number in masked] == []


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
@pytest.mark.parametrize("value", ["1,234,567,890.12", "2026-01-05, 2026-01-06", "000-12-3456, 666-12-3456"])
def test_what_only_resembles_several_private_numbers_stays(form: str, value: str) -> None:
    text = form.format(name="ssn" if value.startswith("000") else "account_number", value=value)
    assert mask_private(text).text == text
