"""What a name means for its value: a JSON key, a column of a table, a variable."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

# Kinds whose whole value is the secret, whatever it looks like.
WHOLE = frozenset({"password", "api_key", "token", "secret", "private_key", "cvv"})
# A name has to have one of these to say anything; looked for before names are.
STEMS = (
    *("acc", "a/c", "a_c", "card", "pan", "cc", "ssn", "social", "tax", "tin", "iban", "routing", "aba", "rtn", "sort"),
    *("rrn", "resident", "jumin", "transit", "passw", "pwd", "passphrase", "secret", "key", "token", "cvv", "cvc"),
    *(
        "dda",
        "계좌",
        "카드",
        "주민",
        "외국인",
        "비밀번호",
        "비번",
        "암호",
        "패스워드",
        "인증키",
        "bban",
        "cano",
        "clabe",
        "konto",
    ),
)

_IN_SHORT = re.compile(r"\ba/c\b", re.IGNORECASE)
_BETWEEN = re.compile(r"[^A-Za-z0-9가-힣/#]+")
_NUMBER = r"(?:numbers?|num|no|nbr|nr|#)"
_OWNERS = (
    "bank|beneficiary|from|to|source|src|destination|dest|target|debit|credit|payer|payee|sender|receiver|recipient|"
    "checking|chequing|current|savings|saving|deposit|settlement|brokerage|customer|client|primary|my|our|external|"
    "internal|virtual|withdrawal|linked|funding|trading|securities|wire|ach|investment|payment|payout|refund|personal|"
    "joint|counterparty|broker|holder|ira|retirement|crediting|debiting|originator|creditor|debtor|remitter|user"
)
_ACCOUNT = r"(?:account|acct|acc|a/c|ac|acnt|acount)"
# fmt: off
_RULES: tuple[tuple[str, str], ...] = (
    (
        "card",
        rf"(?:credit|debit|payment|bank|corporate|check|atm|prepaid|my|the|customer)*cards?(?:pan|{_NUMBER})?|pan|cards?pan|panno|pannumber",
    ),
    (
        "card",
        rf"(?:credit|debit)?cc{_NUMBER}|primaryaccount{_NUMBER}|[a-z]*cardnumbers?|[a-z]*card(?:no|num)|fundingpan",
    ),
    ("card", r"[가-힣]*카드(?:번호|no)?"),
    (
        "ssn",
        rf"[a-z]*ssn(?:{_NUMBER}|itin|tin)?|social|social(?:security|sec|insurance)(?:{_NUMBER}|id)?|socsec(?:{_NUMBER})?|itin",
    ),
    (
        "ssn",
        rf"(?:individual|personal|us|holder|owner|customer)*tax(?:payer)?id(?:{_NUMBER}|entification{_NUMBER}|entifier(?:value)?)?|(?:recipient|payee|owner|holder|customer|beneficiary|employee|vendor|filer|insured)?tin|taxno|taxnumber",
    ),
    (
        "rrn",
        rf"[a-z]*rrn(?:{_NUMBER})?|(?:korean?|foreign)*resident(?:registration)?(?:id)?{_NUMBER}|jumin(?:{_NUMBER}|beonho)?|alienregistration{_NUMBER}|residentregistration",
    ),
    ("rrn", r"[가-힣]*(?:주민|외국인)(?:등록)?번호?[가-힣]{0,2}|주민등록"),
    ("iban", rf"(?:[a-z]*)iban(?:{_NUMBER}|code)?s?"),
    (
        "aba",
        rf"(?:bank|aba|ach|wire|us|fed|rtn)*routing(?:transit)?(?:{_NUMBER}|code|aba)?|(?:bank)?aba(?:{_NUMBER}|rtn|code|routing|routing{_NUMBER}|transit{_NUMBER})?|rtn{_NUMBER}?|routingtransit|transit{_NUMBER}",
    ),
    ("sort_code", r"(?:bank|uk)*sortcodes?"),
    (
        "account",
        rf"(?!gl|ledger|order|phone|general|chart|cost|control|nominal|[a-z]{{1,9}}ac{_NUMBER}$)[a-z]*{_ACCOUNT}{_NUMBER}|(?:{_OWNERS})*{_ACCOUNT}(?:id|identifier|code|ref|identification|details|info)?|(?:bank)?bban|clabe|cano|konto(?:nummer|nr)|dda{_NUMBER}?",
    ),
    ("account", rf"{_ACCOUNT}s|(?:{_OWNERS})*accounts"),
    ("account", r"[가-힣]*계좌(?:번호|no)?|통장번호|[가-힣]*계좌번호[가-힣]{0,2}"),
    ("password", r"[a-z]*(?:password|passwd|passphrase|passcode)|pwd|비밀번호|비번|암호|패스워드|[a-z]*pwd"),
    ("private_key", r"[a-z]*privatekey(?:pem)?"),
    (
        "api_key",
        r"[a-z]*(?:apikeys?|accesskey|secretkey|secretaccesskey|signingkey|encryptionkey|appkey|authkey|servicekey)|인증키",
    ),
    ("token", r"[a-z]*(?:access|refresh|auth|bearer|session|api|secret|oauth|id)token|authorization|token"),
    ("secret", r"(?:client|app|api|shared|webhook|consumer|signing|totp|user|jwt)*secret(?:value)?s?|credentials?"),
    ("cvv", r"(?:card)?(?:cvv|cvc|cvn)2?(?:code)?|cardsecuritycode"),
)
# The words of the rules: a name of several is made of them.
WORDS = frozenset(STEMS) | {word for _, rule in _RULES for word in re.findall("[a-z가-힣]{2,}", rule)}
_COMPILED = tuple((kind, re.compile(rule)) for kind, rule in _RULES)
# Names next to which "card" is a way to pay or a line of business, and its value an amount.
_BESIDE = (
    "cash|transfers?|wires?|ach|checks?|cheques?|paypal|mortgages?|overdrafts?|loans?|deposits?|insurance|banking|securities|"
    "leasing|lending|commercial|treasury|months?|quarters?|years?|periods?|regions?|segments?|branch|country|banks?|issuers?|company|network|lineitem|metric|other|others|total|visa|mastercard|amex|현금|계좌이체|이체|상품권|포인트|대출|예금|보험|은행|증권|캐피탈|연도|연월|월|분기|기간|구분|계정과목|기준월|지역|지점|회사|회사명|카드사|은행명|항목|기타|합계|페이"
)
_BESIDE_NAME = re.compile(rf"(?:{_BESIDE})(?:amount|sales|payments|결제)?")
_BESIDE_KEY = re.compile(rf'"(?:{_BESIDE})(?:_?(?:amount|sales|payments|결제))?"\s?:\s?"?[0-9]', re.IGNORECASE)
_COUNTS = re.compile(r"(?:account|acct|card|secret)s")
_EXPLICIT = re.compile(r"(?:numbers?|num|no|nbr|nr|#|번호)$")


@lru_cache(maxsize=4096)
def kind_of_name(name: str) -> str | None:
    """The kind of private data a name promises, or None. `accountNumber`, `acct_no` and `Account No.` are one name."""
    if "/" in name and not _IN_SHORT.search(name):
        return next((kind for part in name.split("/") if (kind := kind_of_name(part))), None)
    joined = joined_name(name)
    if not joined:
        return None
    return next((kind for kind, rule in _COMPILED if rule.fullmatch(joined)), None)


def joined_name(name: str) -> str:
    """A name without what separates its words, in lower case."""
    return _BETWEEN.sub("", name.removesuffix("__c")).lower()  # what Salesforce calls custom


def counts_things(name: str) -> bool:
    """Whether a name is a plural: with one plain number it counts, with a list it holds them."""
    return bool(_COUNTS.search(joined_name(name)[-8:])) or joined_name(name).endswith("accounts")


def is_tender(name: str, others: Iterable[str]) -> bool:
    """Whether a name such as "card" stands in a row of ways to pay, so that its values are amounts."""
    if kind_of_name(name) != "card" or is_explicit(name) or "pan" in joined_name(name):
        return False
    cards = [other for other in others if other != name and kind_of_name(other) == "card" and not is_explicit(other)]
    return bool(cards) or any(_BESIDE_NAME.fullmatch(joined_name(other)) for other in others if other != name)


def is_tender_key(name: str, around: str) -> bool:
    """The same for a key of JSON, by what stands around it."""
    return is_tender(name, ("cash",)) and bool(_BESIDE_KEY.search(around))


def is_explicit(name: str) -> bool:
    """Whether a name marks its value as a number of the kind, so that few digits are enough."""
    return bool(_EXPLICIT.search(joined_name(name)))
