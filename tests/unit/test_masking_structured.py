"""Masking by the place of a value: tables, assignments, tags, addresses, payment messages."""

from __future__ import annotations

import pytest

from finclaw_cli.masking.private import mask_private

MASKED = [
    ("account number U6004759, net", "account"),
    ("a/c no. GB-1234567", "account"),
    ("acct# DU1234567", "account"),
    ("Account #1234567", "account"),
    ("The account for the refund is 1234567890", "account"),
    ("국민 123456-04-123456", "account"),
    ("110-234-567890 예금주 홍길동", "account"),
    ("postgres://quotes:violet-Harbor@10.1.2.3:5432/x", "password"),
    ("비번: abcd1234", "password"),
    ('<input name="cardNumber" value="378282246310005">', "card"),
    ('<input value="1234567890" id="account_number">', "account"),
    (":50K:/9388803485\nNORTHWIND", "account"),
    (":97A::SAFE//1234567890", "account"),
    ("<CdtrAcct><Id><Othr><Id>1234567890</Id>", "account"),
    ("//FW021000021", "aba"),
    ("<BANKID>021000021", "aba"),
    ("transit no. 021000021", "aba"),
    ("⑆021000021⑆", "aba"),
    ("date,card_no,amount\n2024-01-02,4111111111111111,5", "card"),
    ("Name   Card number        Paid\nKim    4111111111111111   12.00", "card"),
    ("이름,카드번호\n김,4111111111111111", "card"),
    ("card = 4111111111111111", "card"),
    ("Please charge 4111111111111111, thanks", "card"),
]


@pytest.mark.parametrize(("text", "kind"), MASKED)
def test_the_place_of_a_value_gives_it_away(text: str, kind: str) -> None:
    assert mask_private(text).kinds == {kind: 1}


KEPT = [
    "bank_deposits = 4111111111111111",
    "카드론,1,4111111111111111",
    "계정과목,당기\n신용카드미수금,4111111111111111",
    "month,card_spend\n2024-03,4111111111111111",
    "month,cash,card\n2024-03,411111111111,4111111111111111",
    "월,현금,카드\n1월,411111111111,4111111111111111",
    "| 은행 | 총수신(원) |\n|---|---:|\n| 가온 | 4111111111111111 |",
    "COPY f (cik, assets) FROM stdin;\n1\t4111111111111111",
    "Bank    Deposits\nAcme    4111111111111111",
    '{"cash": 411111111111, "card": 4111111111111111}',
    '{"value": "4111111111111111"}',
    '{"api_key": "${QUOTES_API_KEY}", "token": "vault:secret/data/quotes1"}',
    '{"password": "{{ db_password }}", "secret": "%APP_SECRET%"}',
    "PWD=/home/me1/work2",
    "OLDPWD=/srv/data1/app2",
    "postgres://user:${DB_PASSWORD}@host/db",
    "postgres://user:password@host/db",
    "account ISIN12345678",
    "신한은행 220-81-62517",
    "account executive 12345678",
    "accounts grew to 1234567890",
    '<input name="amount" value="378282246310005">',
]


@pytest.mark.parametrize("text", KEPT)
def test_the_place_of_a_quantity_keeps_it(text: str) -> None:
    assert mask_private(text).text is text


@pytest.mark.parametrize("value", ["*" * 5000 + "!", "/" + "a" * 5000 + "!", "A_" * 5000 + "!"])
def test_long_values_are_judged_in_linear_time(value: str) -> None:
    assert mask_private(f'{{"password": "{value}"}}').kinds == {"password": 1}


def test_a_row_that_is_called_card_holds_what_its_columns_say() -> None:
    for table in (
        "segment,revenue_krw,profit_krw\ncard,4648117096648912,304003493404\n",
        "부문,매출액(원),영업이익(원)\n카드,4371215003818777,633414295745\n",
    ):
        assert mask_private(table).text is table
