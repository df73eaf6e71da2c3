"""The checksums written out by hand, held against python-stdnum."""

from __future__ import annotations

from datetime import date

import pytest
import stdnum.iban
import stdnum.iso7064.mod_97_10
import stdnum.kr.rrn
import stdnum.luhn
import stdnum.us.rtn
import stdnum.us.ssn
from hypothesis import given
from hypothesis import strategies as st

from finclaw_cli.masking import checksums


def digits(size: int) -> st.SearchStrategy[str]:
    return st.text("0123456789", min_size=size, max_size=size)


@given(st.integers(13, 19).flatmap(digits))
def test_luhn(number: str) -> None:
    assert checksums.luhn(number) == stdnum.luhn.is_valid(number)


@given(st.sampled_from(["DE", "GB", "FR", "KR"]), digits(2), st.text("0123456789ABZ", min_size=11, max_size=30))
def test_iban(country: str, check: str, rest: str) -> None:
    right = stdnum.iban.calc_check_digits(f"{country}00{rest}")
    assert checksums.iban(f"{country}{right}{rest}")
    agrees = stdnum.iso7064.mod_97_10.is_valid(f"{rest}{country}{check}") and "02" <= check <= "98"
    assert checksums.iban(f"{country}{check}{rest}") == agrees


@given(digits(8))
def test_routing_numbers(head: str) -> None:
    for last in "0123456789":
        if checksums.aba(head + last):
            assert stdnum.us.rtn.is_valid(head + last)


@given(digits(9))
def test_social_security_numbers(number: str) -> None:
    public = {"078051120", "457555462", "219099999"}  # in so many advertisements that they belong to nobody
    assert checksums.ssn(number) == stdnum.us.ssn.is_valid(number) or number in public


@given(
    st.dates(min_value=__import__("datetime").date(1925, 1, 1), max_value=__import__("datetime").date(2019, 12, 31)),
    digits(5),
)
def test_resident_numbers(born: date, rest: str) -> None:
    sex = "1" if born.year < 2000 else "3"
    head = f"{born:%y%m%d}{sex}{rest}"
    number = head + stdnum.kr.rrn.calc_check_digit(head + "0")
    assert checksums.rrn(number)
    assert checksums.rrn_check(number)


def test_known_cards() -> None:
    for number in ("4111111111111111", "5555555555554444", "378282246310005", "2223003122003222", "3530111333300000"):
        assert checksums.card(number)


def test_one_digit_throughout_is_no_card() -> None:
    assert not checksums.card("0000000000000000")


@pytest.mark.parametrize("prefix", ["00", "12", "21", "32", "61", "66", "72", "80"])
def test_a_routing_number_begins_with_the_number_of_a_reserve_bank(prefix: str) -> None:
    known = [f"{prefix}00000{last:02}" for last in range(1, 100) if checksums.aba(f"{prefix}00000{last:02}")]
    assert known
    assert all(stdnum.us.rtn.is_valid(number) for number in known)


@pytest.mark.parametrize("prefix", ["13", "20", "33", "60", "73", "79", "81"])
def test_other_beginnings_are_no_routing_numbers(prefix: str) -> None:
    assert not any(checksums.aba(f"{prefix}00000{last:02}") for last in range(100))
