"""JSON: masked by its keys, and JSON afterwards."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from finclaw_cli.masking.private import MOST, mask_private

PRIVATE = [
    ('{"account_number": %s}', "1234567890", "account"),
    ('{"acctNo": %s, "volume": 1234567890}', '"110-234-567890"', "account"),
    ('{"ACCOUNT-NUMBER": %s}', '"1234567890"', "account"),
    ('{"user": {"bankAccount": {"number": %s, "type": "checking"}}}', '"1234567890"', "account"),
    ('{"accounts": [{"id": 1, "number": "x"}, {"id": 2, "number": %s}]}', '"1234567890"', "account"),
    ('{"account_numbers": [%s]}', "1234567890", "account"),
    ('{"계좌번호": %s}', '"110-234-567890"', "account"),
    ('{"\\uacc4\\uc88c\\ubc88\\ud638": %s}', '"110-234-567890"', "account"),
    ('{"label": "Account number", "value": %s}', '"1234567890"', "account"),
    ('{"cardNumber": %s}', "4111111111111111", "card"),
    ('{"x": %s}', '"4111111111111111"', "card"),
    ('{"ssn": %s}', "219099999", "ssn"),
    ('{"주민등록번호": %s}', '"900101-1234567"', "rrn"),
    ('{"iban": %s}', '"DE89370400440532013000"', "iban"),
    ('{"routing_number": %s}', '"021000021"', "aba"),
    ('{"password": %s}', '"hunter2"', "password"),
    ('{"api_key": %s}', '"abcdef123456"', "api_key"),
    ('{"client_secret": %s}', '"abcdefgh"', "secret"),
    ('{"a": 1}\n{"account_number": %s}\n', '"1234567890"', "account"),
]


@pytest.mark.parametrize(("text", "value", "kind"), PRIVATE)
def test_the_value_of_a_private_key_is_masked(text: str, value: str, kind: str) -> None:
    assert mask_private(text % value).text == text % f'"[REDACTED:{kind}]"'


KEPT = [
    '{"market_cap": 4111111111111111}',
    '{"marketCap": "4111111111111111"}',
    '{"order_id": "4111111111111111"}',
    '{"order_id": "123-45-6789"}',
    '{"a": [4111111111111111, 1]}',
    '{"accounts": 12345678}',
    '{"account_type": "checking", "balance": 1234567890}',
    '{"type": "account", "volume": 12345678901}',
    '{"t": 1700000000000, "o": 4.186662803811}',
    '{"jurir_no": "1301110006246", "corp_code": "00126380"}',
    '{"ein": "942404110", "cik": "0000320193"}',
    '{"token": "USDC", "address": "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"}',
    '{"account_id": "550e8400-e29b-41d4-a716-446655440000"}',
    '{"password": null, "password_required": true}',
    '{"properties": {"password": {"type": "string"}}}',
]


@pytest.mark.parametrize("text", KEPT)
def test_other_values_stay(text: str) -> None:
    assert mask_private(text).text is text


def test_labels_in_the_text_of_a_string_count() -> None:
    text = json.dumps({"note": 'Line\n계좌번호: 110-234-567890, "ok"'})
    assert json.loads(mask_private(text).text) == {"note": 'Line\n계좌번호: [REDACTED:account], "ok"'}


def test_one_long_string_with_many_cards_is_masked() -> None:
    text = json.dumps({"note": "card 4111111111111111, " * MOST, "id": 1})
    assert mask_private(text).kinds == {"card": MOST}


@pytest.mark.parametrize("text", ['{"note": "card %s, }', '{"size": "5"", "card": "%s"}', '{"note": "pay "%s" now"}'])
def test_what_only_begins_and_ends_like_json_is_read_as_text(text: str) -> None:
    assert mask_private(text % "4111-1111-1111-1111").text == text % "[REDACTED:card]"


def test_json_inside_of_json_is_masked() -> None:
    text = json.dumps({"raw": json.dumps({"account_number": "1234567890"})})
    assert json.loads(json.loads(mask_private(text).text)["raw"]) == {"account_number": "[REDACTED:account]"}


def test_a_table_inside_of_json_is_masked() -> None:
    text = json.dumps({"csv": "name,account_number\nKim,1234567890\nLee,2345678901"})
    assert mask_private(text).kinds == {"account": 2}


def test_a_private_key_inside_of_json_leaves_json() -> None:
    pem = "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQ\n-----END PRIVATE KEY-----\n"
    assert json.loads(mask_private(json.dumps({"x": [pem, 7]})).text) == {"x": ["[REDACTED:private_key]\n", 7]}


WORDS = [
    "account",
    "계좌",
    "SSN",
    "card",
    "iban",
    "password=",
    "note",
    "volume",
    "1234567890",
    "4111111111111111",
    " ",
    ", ",
]
WORDS += [
    "219-09-9999",
    "900101-1234567",
    "DE89370400440532013000",
    '"',
    "\\",
    "\n",
    ":",
    "and",
    "12345678",
    "sk-ant-",
    "é",
]
texts = st.lists(st.sampled_from(WORDS), max_size=12).map("".join) | st.text(max_size=20)
keys = st.sampled_from(
    ["account_number", "note", "volume", "number", "card", "token", "계좌번호", "id", "password"]
) | st.text(max_size=5)
numbers = (
    st.integers(0, 10**19)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.sampled_from([4111111111111111, 378282246310005])
)
values = st.recursive(
    st.none() | st.booleans() | numbers | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(keys, inner, max_size=4),
    max_leaves=12,
)


@given(values, st.booleans(), st.sampled_from([None, 2]))
def test_json_stays_json_of_the_same_shape(value: object, escaped: bool, indent: int | None) -> None:
    text = json.dumps(value, ensure_ascii=escaped, indent=indent)
    after = json.loads(mask_private(text).text)
    assert type(after) is type(value) or after == "[REDACTED:card]"
    if isinstance(value, list):
        assert len(after) == len(value)


@given(
    st.dictionaries(
        st.sampled_from(["volume", "marketCap", "price", "cik", "시가총액", "close", "shares_outstanding"]), numbers
    )
)
def test_numbers_under_public_keys_are_exactly_the_same(value: dict[str, float]) -> None:
    text = json.dumps(value)
    assert mask_private(text).text is text


@example('{"account_number": "1234567890, 1234567890"}')
@example('{"accounts": ["1234567890 and 2234567890"]}')
@given(texts | values.map(json.dumps))
def test_masking_twice_is_masking_once(text: str) -> None:
    once = mask_private(text).text
    assert mask_private(once).text is once


@given(texts)
def test_what_is_not_masked_is_all_there_and_in_order(text: str) -> None:
    text = f"So: {text}"  # no number alone, which would become a JSON string
    masked = mask_private(text)
    position = 0
    for piece in _pieces(masked.text):
        position = text.index(piece, position) + len(piece)
    assert len(masked.text) <= len(text) + 25 * sum(masked.kinds.values())


def _pieces(text: str) -> list[str]:
    """What stands around the masks: a bare number's is in quotes, which were not there."""
    return re.split(r'"?\[REDACTED:[^\]]*\]"?', text)


def test_the_first_column_of_a_table_in_a_string_begins_behind_its_quote() -> None:
    text = json.dumps({"data": "account number,balance\n4471902236,12.50\n8830174465,3.20\n"})
    masked = mask_private(text).text
    plain = mask_private("account number,balance\n4471902236,12.50\n8830174465,3.20\n").text
    assert json.loads(masked)["data"] == plain
    assert "4471902236" not in plain
