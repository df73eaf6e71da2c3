"""Masking in both directions: what is private goes, and no other character changes."""

from __future__ import annotations

import json

import pytest

from finclaw_cli.masking.masked import EDGE
from finclaw_cli.masking.private import MOST, mask_private

CARD = "4111 1111 1111 1111"  # the card networks' own test number

PROSE = [
    (f"{CARD}", "card"),
    ("4111-1111-1111-1111 exp 12/27", "card"),
    ("Charged to 378282246310005 yesterday", "card"),
    ("Amex 3782 822463 10005", "card"),
    ("Amex '3782 822463 10005', thank you", "card"),
    ("card number 30569309025904", "card"),
    ("paid with 4012888888881881", "card"),
    ("카드번호 4111-1111-1111-1111", "card"),
    ("신용카드 4111111111111111로 결제", "card"),
    ("card 4242–4242–4242–4242", "card"),
    ("SSN 078-05-1120", "ssn"),
    ("219-09-9999", "ssn"),
    ("social security no. 219099999", "ssn"),
    ("Social Security Number 219 09 9999", "ssn"),
    ("219099999 is her SSN", "ssn"),
    ("tax id: 219099999", "ssn"),
    ("홍길동(900101-1234567)", "rrn"),
    ("주민번호: 9001011234567", "rrn"),
    ("외국인등록번호 900101-5234567", "rrn"),
    ("IBAN DE89 3704 0044 0532 0130 00", "iban"),
    ("GB82WEST12345698765432", "iban"),
    ("iban: gb82 west 1234 5698 7654 32", "iban"),
    ("BE68 5390 0754 7034", "iban"),
    ("DE89-3704-0044-0532-0130-00", "iban"),
    ("routing number 021000021", "aba"),
    ("ABA/RTN: 026009593", "aba"),
    ("account number 1234567890", "account"),
    ("Acct. No. 123456789", "account"),
    ("A/C 0012345678", "account"),
    ("account_number=1234567890", "account"),
    ("<accountNumber>1234567890</accountNumber>", "account"),
    ("**Account number:** 1234567890", "account"),
    ("Account number:\n1234567890", "account"),
    ("1234567890 is my account number", "account"),
    ("계좌번호: 110-234-567890", "account"),
    ("입금 계좌는 신한은행 110-234-567890 입니다", "account"),
    ("110-234-567890 (신한은행) 계좌로 보내주세요", "account"),
    ("sort code 20-00-00", "sort_code"),
    ("password: hunter2horse9", "password"),
    ("비밀번호: qwerty123", "password"),
    ("https://x.io/q?symbol=A&apikey=ABCD1234EFGH5678", "api_key"),
    ("Authorization: Bearer abcdef0123456789abcdef", "token"),
    ("sk-ant-api03-" + "a1" * 20, "api_key"),
    ("AKIAIOSFODNN7EXAMPLE", "api_key"),
    ("ghp_" + "a1" * 18, "token"),
    ("INSERT INTO t (id, account_number) VALUES (7, '1234567890')", "account"),
    ("curl -u feeds:s3cretPw1 https://x.io", "password"),
    ("machine x.io login desk\npassword quartz#221", "password"),
    ("Authorization: Basic dXNlcjpwYXNzd29yZDE=", "token"),
    ("--password s3cretPw1", "password"),
    ("앱키는 abcd1234efgh 이고", "api_key"),
    ("crtfc_key=66a78190de2d286e72fb2e670ee5d79b141c93d0", "api_key"),
    ("password=violet=6397", "password"),
    ("{'account': 'DU1234567'}", "account"),
    ('account_id = "U1234567"', "account"),
    ("종합계좌번호=30184137-01", "account"),
    ("입금계좌 : 신한 110123456789", "account"),
    ("<BorrowerSSN>219099999</BorrowerSSN>", "ssn"),
    ("CVV: 123", "cvv"),
]


@pytest.mark.parametrize(("text", "kind"), PROSE)
def test_private_data_in_prose_is_masked(text: str, kind: str) -> None:
    masked = mask_private(text)
    assert masked.kinds == {kind: 1}
    assert f"[REDACTED:{kind}]" in masked.text


KEPT = [
    "The market cap is 3012345678901.",
    "삼성전자 시가총액 341234567890123원",
    "Market cap: 378282246310005 KRW",
    "Volume 1234567890 shares",
    "account balance 1234567890 KRW",
    "balance on the account: 1234567890",
    "Accounts receivable 1234567890",
    "accounts for 12345678 shares",
    "active accounts: 12345678",
    "12345678 accounts were opened",
    "CIK 0000320193",
    "accession 0001234567-24-000123",
    "account 0001234567-24-000123",
    "ISIN US0378331005 CUSIP 037833100 FIGI BBG000B9XRY4",
    "LEI 5493001KJTIIGC8Y1R12",
    "41111111-1111-1111-1111-111111111111",
    "a1b2c3d4e5f64111111111111111",
    "https://example.com/item/4111111111111111",
    "https://example.com/a/4242-4242-4242-4242",
    "epoch 1700000000000",
    "1.4111111111111111",
    "phone 010-1234-5678",
    "Call 555-123-4567 about your account",
    "account opened 2024-01-15",
    "account opened 20240115",
    "1,234,567,890",
    "법인등록번호 110111-1234567",
    "사업자등록번호 220-81-62517",
    "시가총액(원): 4242424242424242",
    "계좌 잔액 1234567890원",
    "계좌 수 12345678",
    "Visa market cap 512345678901234",
    "Order 123-45-6789 shipped",
    "4111 4111 4111 4111 4111 4111 4111",
    "4111 1111 1111 1112",
    "DE00 3704 0044 0532 0130 00",
    "666-12-3456",
    "last 4 digits of card: 1111",
    "password: required",
    "risk-adjusted sk-learn task-abcdefghijklmnopqrstuvwxyz1",
    "date,volume,market_cap\n2024-01-02,4111111111111111,378282246310005",
    "account,debit,credit\nCash,1234567890,\nEquity,,1234567890",
    "| Account | Debit | Credit |\n|---|--:|--:|\n| Checking account | 5077272120 | |",
    "--password-file F    file with the password, mode 0600\n--account ID    account to use",
    "account_number: string (nulls: 193899659)",
    "https://x.io/investors/account/1690291295/news",
    '<CreditCardReceivable unitRef="USD">4584851043771023</CreditCardReceivable>',
    '<Amt Ccy="KRW">5323531303790300</Amt>',
    "lookup_key=usd_krw_2024_daily_close_adjusted_v2",
    "cache_key=3f786850e387550fdab836ed7e6dc881de23001b",
    "db.password      set (env FINCLAW_DB_PASSWORD)\nlimits.tokens    12",
    "입금계좌번호\t일자\n\t2020.03.02",
]


@pytest.mark.parametrize("text", KEPT)
def test_numbers_that_are_not_private_stay(text: str) -> None:
    masked = mask_private(text)
    assert masked.text is text
    assert masked.kinds == {}


TABLES = [
    ("name,account_number,balance\nKim,{},5000000000", "1234567890", "account"),
    ('"name";"account no";"balance"\n"Kim; A";"{}";"1"', "1234567890", "account"),
    ("이름,계좌번호,잔액\n김,{},12345678901", "110-234-567890", "account"),
    ("| Name | Account | Balance |\n|---|---|---|\n| Kim | {} | 12345678901 |", "1234567890", "account"),
    ("date\tcard_no\n2024-01-01\t{}", "4111111111111111", "card"),
    ("name,ssn\nA,{}", "219099999", "ssn"),
    ("Sort Code      Account Number     Sheet\n               {}           115", "39930016", "account"),
    ("Date     Account Number     Sheet\n07 Nov   {}           115", "39930016", "account"),
    ("Here it is:\n\naccount_number,balance\n{},12345678901\n\nBye", "1234567890", "account"),
]


@pytest.mark.parametrize(("table", "value", "kind"), TABLES)
def test_a_private_column_is_masked_and_no_other(table: str, value: str, kind: str) -> None:
    assert mask_private(table.format(value)).text == table.format(f"[REDACTED:{kind}]")


def test_a_list_of_accounts_is_masked_to_its_end() -> None:
    masked = mask_private("accounts 1234567890, 2345678901 and 3456789012")
    assert masked.text == "accounts [REDACTED:account], [REDACTED:account] and [REDACTED:account]"


def test_the_amount_after_an_account_stays() -> None:
    masked = mask_private("Account 1234567890, balance 12345678901, 500 shares")
    assert masked.text == "Account [REDACTED:account], balance 12345678901, 500 shares"


def test_a_private_key_is_masked_as_a_whole() -> None:
    key = "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA1234567890\n-----END RSA PRIVATE KEY-----"
    assert mask_private(f"a {key} b").text == "a [REDACTED:private_key] b"


def test_a_private_key_that_is_cut_off_is_masked_to_its_end() -> None:
    key = "-----BEGIN PRIVATE KEY-----\nMIIEpAIBAAKCAQEA1234567890"
    assert mask_private(key).text == "[REDACTED:private_key]"


def test_a_public_key_stays() -> None:
    text = "-----BEGIN PUBLIC KEY-----\nMIIEpAIBAAKCAQEA1234567890\n-----END PUBLIC KEY-----"
    assert mask_private(text).text is text


def test_each_kind_is_counted() -> None:
    masked = mask_private(f"{CARD}, {CARD} and SSN 219-09-9999")
    assert masked.kinds == {"card": 2, "ssn": 1}


def test_a_text_that_is_a_card_becomes_a_json_string() -> None:
    assert json.loads(mask_private("4111111111111111").text) == "[REDACTED:card]"


@pytest.mark.parametrize(
    ("piece", "kind"),
    [
        ("4111-1111-1111-1111 ", "card"),
        ("4111111111111111 ", "card"),
        ("account 1234567890 ", "account"),
        ("DE89 3704 0044 0532 0130 00; ", "iban"),
        ("password=hunter2horse9 ", "password"),
    ],
)
def test_what_repeats_itself_is_masked_every_time(piece: str, kind: str) -> None:
    masked = mask_private(piece * MOST)
    assert masked.kinds == {kind: MOST}
    assert masked.text.count(f"[REDACTED:{kind}]") == MOST


def test_the_same_number_is_judged_by_what_stands_around_it() -> None:
    text = "card 4111111111111111, volume 4111111111111111, https://x.io/4111111111111111, card 4111111111111111"
    masked = mask_private(text)
    assert masked.text == (
        "card [REDACTED:card], volume 4111111111111111, https://x.io/4111111111111111, card [REDACTED:card]"
    )


@pytest.mark.parametrize("scheme", ["s3://bucket-", "s3:"])
def test_a_number_in_an_address_with_a_digit_stays(scheme: str) -> None:
    text = f"see {scheme}/4111-1111-1111-1111"
    assert mask_private(text).text is text


def test_numbers_around_a_number_are_told_apart_by_length_only() -> None:
    first, second = mask_private("account 7 of 2345678901"), mask_private("account 9 of 3456789012")
    assert first.kinds == second.kinds == {"account": 1}


def test_a_text_of_too_many_private_values_ends_before_they_do() -> None:
    masked = mask_private("219-09-9999 " * (MOST + 2) + "the end")
    assert masked.text.endswith("[REDACTED:rest]")
    assert "219-09" not in masked.text
    assert masked.kinds["rest"] == 1
    assert len(masked.text) > EDGE


def test_too_many_in_one_string_of_json_are_masked_as_far_as_they_are_shown() -> None:
    masked = mask_private(json.dumps({"note": "card 4111111111111111, " * (2 * MOST)}))
    assert masked.text.endswith("[REDACTED:rest]")
    assert "4111" not in masked.text


def test_what_is_cut_in_half_by_that_is_not_shown() -> None:
    key = f"-----BEGIN PRIVATE KEY-----\n{'MIIEvQIBADANBgkqhkiG9w0B' * 100}\n219-09-9999\n-----END PRIVATE KEY-----"
    masked = mask_private("219-09-9999 " * MOST + key)
    assert "[REDACTED" in masked.text
    assert "MIIE" not in masked.text
    assert "BEGIN" not in masked.text


def test_too_many_of_different_kinds_are_found_in_any_order() -> None:
    tokens = [prefix + "a1" * 20 for prefix in ("ghp_", "sk-ant-", "hf_", "glpat-", "xai-")]
    masked = mask_private("\n".join(tokens * MOST))
    assert masked.text.endswith("[REDACTED:rest]")
    assert "a1a1" not in masked.text


def test_as_many_as_there_may_be_are_masked_to_the_last() -> None:
    assert mask_private("219-09-9999 " * MOST).kinds == {"ssn": MOST}


def test_an_iban_in_small_letters_ends_where_one_of_its_country_does() -> None:
    assert mask_private("iban: de89370400440532013000 eur 5").text == "iban: [REDACTED:iban] eur 5"


def test_an_iban_in_small_letters_is_found_behind_a_mention_of_one_without_a_number() -> None:
    text = "the iban is on the last page of the letter that we sent to you in may. iban: de89370400440532013000"
    assert mask_private(text).text.endswith("in may. iban: [REDACTED:iban]")


def test_each_of_several_labels_that_are_far_from_each_other_is_found() -> None:
    between = "\n" + "We thank you for your letter and reply to it as soon as we can. " * 300 + "\n"
    text = between.join(f"Her account number is {number}" for number in ("4471902236", "8830174465", "5512907738"))
    assert mask_private(text).kinds == {"account": 3}
