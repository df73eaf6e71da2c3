"""What `finclaw cost` may be asked for, and how it says that something may not."""

from __future__ import annotations

import pytest

from finclaw_cli.cli.cost.command import complete_by, complete_format
from finclaw_cli.core.errors import UsageError
from finclaw_cli.listings.cost.options import DIMENSIONS, Options, check_alone, chosen_format, dimensions


@pytest.mark.parametrize(
    ("words", "names"),
    [
        ([], ("model",)),
        (["day"], ("day",)),
        (["model,day"], ("model", "day")),
        (["model", "day,session"], ("model", "day", "session")),
        (["day, model", "day"], ("day", "model")),
        (["tool,week"], ("tool", "week")),
    ],
)
def test_groups_are_given_with_commas_or_again_and_counted_once(words: list[str], names: tuple[str, ...]):
    assert dimensions(words) == names


@pytest.mark.parametrize("word", ["modle", "", "model,", "Model", "model;day"])
def test_what_costs_have_not_is_refused_with_what_they_have(word: str):
    with pytest.raises(UsageError) as refused:
        dimensions([word])
    assert all(name in str(refused.value.hint) for name in DIMENSIONS)


def test_a_slip_of_the_pen_is_recognised():
    with pytest.raises(UsageError, match="did you mean model"):
        dimensions(["modle"])


@pytest.mark.parametrize("other", ["model", "provider", "purpose"])
def test_tools_have_no_models_and_it_is_said_what_they_have(other: str):
    with pytest.raises(UsageError, match=other) as refused:
        dimensions(["tool", other])
    assert "Beside tool, use day, week, month, session, agent or run" in str(refused.value.hint)


@pytest.mark.parametrize(
    ("options", "form"),
    [
        (Options(), "table"),
        (Options(as_json=True), "json"),
        (Options(as_json=True, format="json"), "json"),
        (Options(format="csv"), "csv"),
        (Options(format="csv", chart=False), "csv"),
        (Options(chart=True), "table"),
    ],
)
def test_the_format_is_what_was_said(options: Options, form: str):
    assert chosen_format(options) == form


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (Options(format="jsn"), "did you mean json"),
        (Options(format="csv", as_json=True), "exclude each other"),
        (Options(format="csv", chart=True), "no chart in csv"),
        (Options(as_json=True, chart=True), "no chart in json"),
    ],
)
def test_formats_that_cannot_be_are_refused(options: Options, words: str):
    with pytest.raises(UsageError, match=words) as refused:
        chosen_format(options)
    assert refused.value.hint


def test_options_of_the_report_are_not_lost_before_a_subcommand():
    check_alone(Options(), "estimate")
    with pytest.raises(UsageError, match="estimate"):
        check_alone(Options(by=("day",)), "estimate")


@pytest.mark.parametrize(
    ("word", "offered"),
    [
        ("mo", ["model", "month"]),
        ("model,mo", ["model,month"]),
        ("day,model,t", ["day,model,tier", "day,model,tool"]),
        ("x", []),
    ],
)
def test_the_shell_completes_groups_also_after_a_comma(word: str, offered: list[str]):
    assert complete_by(word) == offered


def test_the_shell_completes_formats():
    assert complete_format("") == ["table", "json", "ndjson", "csv"]
    assert complete_format("j") == ["json"]
