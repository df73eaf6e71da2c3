"""One model's table in a settings file is changed, and nothing else in it."""

from __future__ import annotations

import tomllib
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finclaw_cli.core.errors import UsageError
from finclaw_cli.settings.model_file import with_model, without_model

VALUES = {"window": 9000, "input_usd": Decimal("0.3")}
READ = {"window": 9000, "input_usd": 0.3}
FORMS = {
    "nothing": "",
    "no models": 'model = "demo" # mine\n[aliases] # a\nx = "y"\n',
    "no end of the last line": 'model = "demo"',
    "a table of its own": '# one\n[models."a:b"] # two\n# three\nwindow = 5000 # four\n\n# five\n[tool] # six\n',
    "a table of its own at the end": '[tool]\n\n[models."a:b"]\nwindow = 5000',
    "an empty table": '[models."a:b"]\n# nothing yet\n\n[tool]\n',
    "another order": '[models.x]\nwindow = 5000\n\n[tool]\n# c\n\n[models."a:b"]\nwindow = 5000\n\n[profile]\n',
    "spaces in the head": '[ models . "a:b" ]\nwindow=5000\n',
    "an inline table in [models]": '[models]\n"a:b" = { window = 5000 } # c\n# d\n[tool]\n',
    "inline tables": 'models = { "a:b" = { window = 5000 }, c = { window = 1000 } } # c\n[tool]\n',
    "dotted keys": 'models."a:b".window = 5000 # c\nmax_turns = 3\n[tool]\n',
    "dotted keys of another": "models.c.window = 5000 # c\nmax_turns = 3\n[tool]\n",
    "an empty inline table": "models = {}\nmax_turns = 3\n",
    "a text that looks like the table": 'system = """\n[models."a:b"]\nwindow = 1\n"""\n# c\n',
    "both": 'system = """\n[models."a:b"]\nwindow = 1\n"""\n[models."a:b"]\nwindow = 5000\n# c\n',
    "lines as on Windows": '# one\r\n[models."a:b"]\r\nwindow = 5000\r\n\r\n# two\r\n[tool]\r\n',
    "not a number": '[plugin.x]\ny = nan\n[models."a:b"]\nwindow = 5000\n',
}


@pytest.mark.parametrize("text", FORMS.values(), ids=FORMS.keys())
def test_the_values_are_there_and_every_line_that_did_not_say_them_is(text: str) -> None:
    after = with_model(text, "a:b", VALUES)
    assert tomllib.loads(after)["models"]["a:b"] == READ
    comments = [line.partition("#")[2] for line in text.splitlines() if "#" in line]
    assert [line.partition("#")[2] for line in after.splitlines() if "#" in line] == comments
    kept = [line for line in text.splitlines() if "window" not in line and "models" not in line]
    assert [line for line in after.splitlines() if line in kept and line] == [line for line in kept if line]


@pytest.mark.parametrize("text", [text for text in FORMS.values() if "a:b" not in text])
def test_a_new_table_removed_again_leaves_what_was_there(text: str) -> None:
    after = without_model(with_model(text, "a:b", VALUES), "a:b")
    assert tomllib.loads(after).get("models") or tomllib.loads(text).get("models", {}) == {}
    assert after.rstrip() == text.rstrip()


@pytest.mark.parametrize(
    "text", [text for text in FORMS.values() if "a:b" in str(tomllib.loads(text).get("models")) and "nan" not in text]
)
def test_a_removed_table_is_gone_and_no_other_data_is(text: str) -> None:
    data = tomllib.loads(text)
    del data["models"]["a:b"]
    after = tomllib.loads(without_model(text, "a:b"))
    assert {**after, "models": after.get("models", {})} == data


def test_a_comment_on_what_follows_stays_when_a_table_is_removed() -> None:
    assert without_model(FORMS["a table of its own"], "a:b") == "# one\n\n# five\n[tool] # six\n"


def test_lines_end_as_they_did() -> None:
    after = with_model(FORMS["lines as on Windows"], "a:b", VALUES)
    assert after == FORMS["lines as on Windows"].replace("5000", "9000\r\ninput_usd = 0.3")
    assert "\n" not in with_model(FORMS["lines as on Windows"], "c", VALUES).replace("\r\n", "")


def test_what_cannot_be_changed_without_harm_is_refused() -> None:
    with pytest.raises(UsageError, match="without harm"):
        with_model("models = 3\n[tool]\n", "a:b", VALUES)


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (Decimal(3), "3"),
        (Decimal("0.30"), "0.30"),
        (Decimal("1E-12"), "0.000000000001"),
        (Decimal("123456.123456789012"), '"123456.123456789012"'),
    ],
)
def test_a_price_is_written_as_people_write_it(value: Decimal, written: str) -> None:
    assert with_model("", "m", {"input_usd": value}) == f"[models.m]\ninput_usd = {written}\n"


@given(
    st.text(min_size=1, alphabet=st.characters(exclude_categories=("Cs", "Cc"))),
    st.sampled_from(sorted(FORMS)),
    st.decimals(0, 10**6, places=12),
)
def test_any_name_and_any_price_can_be_stored_and_removed(name: str, form: str, price: Decimal) -> None:
    text = FORMS[form]
    after = with_model(text, name, {"output_usd": price})
    stored = tomllib.loads(after)["models"][name]["output_usd"]
    assert Decimal(repr(stored) if isinstance(stored, float) else stored) == price
    assert name not in tomllib.loads(without_model(after, name)).get("models", {})
