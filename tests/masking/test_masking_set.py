"""The labelled set keeps its promises, and the masking keeps its own on it."""

from __future__ import annotations

import re
from functools import partial

import pytest

from tests.masking.big_texts import company_facts, price_table
from tests.masking.checkers import CHECKS, card_ok, iban_ok, rrn_ok, ssn_ok
from tests.masking.generator import (
    LATER,
    NEGATIVES,
    POSITIVES,
    Case,
    fill,
    hand_written,
    negatives,
    positives,
    read_templates,
)
from tests.masking.report import mask, verdicts_of
from tests.masking.scoring import judge, tally


def spanned() -> tuple[Case, ...]:
    """The cases with private pieces."""
    return (*positives(), *hand_written())


def everything() -> tuple[Case, ...]:
    return (*spanned(), *negatives())


def test_the_set_has_the_promised_sizes():
    assert len(positives()) >= 2000
    assert len(read_templates(POSITIVES)) >= 400
    assert len(hand_written()) >= 100
    assert len(negatives()) >= 4000
    assert len(read_templates(NEGATIVES)) >= 500


def test_names_are_unique_and_texts_differ():
    assert len({case.id for case in everything()}) == len(everything())
    assert len({t.name for t in read_templates((*POSITIVES, *NEGATIVES))}) == len(
        read_templates((*POSITIVES, *NEGATIVES))
    )
    assert len({case.text for case in everything()}) == len(everything())


def test_parts_share_no_template_and_are_about_even_in_the_first_set():
    parts = {part: {c.template for c in everything() if c.part == part} for part in ("dev", "held")}
    assert not parts["dev"] & parts["held"]
    for every in (spanned(), negatives()):
        cases = [case for case in every if not case.template.startswith(LATER)]
        assert 0.4 < sum(case.part == "held" for case in cases) / len(cases) < 0.6


def test_every_positive_has_a_piece_and_no_negative_has_one():
    assert all(case.spans for case in spanned())
    assert not any(case.spans for case in negatives())


def test_no_place_is_left_unfilled():
    assert not [case.id for case in everything() if re.search("[«»]|=== ", case.text)]


def test_the_pieces_are_what_their_kind_says():
    wrong = [(c.id, kind, piece) for c in spanned() for kind, piece in c.pieces() if not CHECKS[kind](piece)]
    assert not wrong


def test_pieces_come_in_order_and_apart():
    for case in spanned():
        edges = [edge for start, end, _ in case.spans for edge in (start, end)]
        assert edges == sorted(edges)
        assert edges[-1] <= len(case.text)


def test_the_set_is_made_alike_each_time():
    template = read_templates(POSITIVES)[0]
    assert fill(template, 3) == fill(template, 3)
    assert fill(template, 3) != fill(template, 4)


def test_twelve_countries_of_ibans():
    ibans = [piece for case in spanned() for kind, piece in case.pieces() if kind == "iban"]
    assert len({iban[:2] for iban in ibans}) >= 12


def test_the_checkers_refuse_what_is_wrong():
    assert card_ok("4111 1111 1111 1111")
    assert not card_ok("4111 1111 1111 1112")
    assert iban_ok("GB82 WEST 1234 5698 7654 32")
    assert not iban_ok("GB83 WEST 1234 5698 7654 32")
    assert not ssn_ok("666-12-3456")
    assert not rrn_ok("991332-1234567")


CASE = Case("x#0", "card 4111111111111111, 12", ((5, 21, "card"),), "prose/en", "x")


@pytest.mark.parametrize(
    ("masked", "found", "changed"),
    [
        ("card [REDACTED:card], 12", True, 0),
        ("card 4111111111111111, 12", False, 0),
        ("card [REDACTED:card]1111, 12", False, 0),
        ("card [REDACTED:card], [REDACTED:card]", True, 1),
        ("[REDACTED:card], 12", True, 1),
    ],
)
def test_scoring(masked, found, changed):
    verdict = judge(CASE, lambda _: masked)
    assert (verdict.found[0], verdict.changed > 0) == (found, changed > 0)


@pytest.mark.parametrize("part", ["dev", "held"])
def test_private_pieces_are_found(part):
    sums = tally(verdicts_of(part, private=True))
    assert sums.recall >= 0.99


@pytest.mark.parametrize("part", ["dev", "held"])
def test_nothing_else_changes(part):
    sums = tally(verdicts_of(part, private=False))
    assert sums.bad_share <= 0.001


@pytest.mark.parametrize("part", ["dev", "held"])
def test_the_text_around_private_pieces_survives(part):
    sums = tally(verdicts_of(part, private=True))
    assert sums.bad_share <= 0.001


@pytest.mark.parametrize(
    "made", [company_facts, partial(company_facts, indent=1), price_table], ids=["compact", "pretty", "csv"]
)
def test_large_public_texts_survive(made):
    text = made()
    assert len(text) > 200_000
    assert mask(text) == text
