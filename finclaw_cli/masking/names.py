"""What a name says about its value: a JSON key, a column of a table, a variable."""

from __future__ import annotations

import re
from functools import lru_cache

# Kinds whose whole value is the secret, whatever it looks like.
WHOLE = frozenset({"password", "api_key", "token", "secret", "private_key", "cvv"})
# A name has to have one of these to say anything; looked for before names are.
STEMS = (
    *("acc", "a/c", "a_c", "card", "pan", "cc", "ssn", "social", "tax", "tin", "iban", "routing", "aba", "rtn", "sort"),
    *("rrn", "resident", "jumin", "transit", "passw", "pwd", "passphrase", "secret", "key", "token", "cvv", "cvc"),
    *("dda", "계좌", "카드", "주민", "외국인", "비밀번호", "인증키"),
)

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
        rf"(?:individual|personal|us|holder|owner|customer)*tax(?:payer)?id(?:{_NUMBER}|entification{_NUMBER}|entifier)?|tin|taxno|taxnumber",
    ),
    (
        "rrn",
        rf"[a-z]*rrn(?:{_NUMBER})?|(?:korean?|foreign)*resident(?:registration)?(?:id)?{_NUMBER}|jumin(?:{_NUMBER}|beonho)?|alienregistration{_NUMBER}|residentregistration",
    ),
    ("rrn", r"[가-힣]*(?:주민|외국인)(?:등록)?번호?[가-힣]{0,2}|주민등록"),
    ("iban", rf"(?:[a-z]*)iban(?:{_NUMBER}|code)?s?"),
    (
        "aba",
        rf"(?:bank|aba|ach|wire|us|fed|rtn)*routing(?:transit)?(?:{_NUMBER}|code|aba)?|(?:bank)?aba(?:{_NUMBER}|rtn|code|routing)?|rtn{_NUMBER}?|routingtransit|transit{_NUMBER}",
    ),
    ("sort_code", r"(?:bank|uk)*sortcodes?"),
    (
        "account",
        rf"(?!gl|ledger|order|phone)[a-z]*{_ACCOUNT}{_NUMBER}|(?:{_OWNERS})*{_ACCOUNT}(?:id|identifier|code)?|dda{_NUMBER}?",
    ),
    ("account", rf"{_ACCOUNT}s|(?:{_OWNERS})*accounts"),
    ("account", r"[가-힣]*계좌(?:번호|no)?|통장번호|[가-힣]*계좌번호[가-힣]{0,2}"),
    ("password", r"[a-z]*(?:password|passwd|passphrase|passcode)|pwd|비밀번호|[a-z]*pwd"),
    ("private_key", r"[a-z]*privatekey(?:pem)?"),
    (
        "api_key",
        r"[a-z]*(?:apikeys?|accesskey|secretkey|secretaccesskey|signingkey|encryptionkey|appkey|authkey|servicekey)|인증키",
    ),
    ("token", r"[a-z]*(?:access|refresh|auth|bearer|session|api|secret|oauth|id)token|authorization|token"),
    ("secret", r"(?:client|app|api|shared|webhook|consumer|signing|totp|user|jwt)*secret(?:value)?s?|credentials?"),
    ("cvv", r"(?:card)?(?:cvv|cvc|cvn)2?(?:code)?|cardsecuritycode"),
)
_COMPILED = tuple((kind, re.compile(rule)) for kind, rule in _RULES)
_COUNTS = re.compile(r"(?:account|acct|card|secret)s")
_EXPLICIT = re.compile(r"(?:numbers?|num|no|nbr|nr|#|번호)$")


@lru_cache(maxsize=4096)
def kind_of_name(name: str) -> str | None:
    """The kind of private data a name promises, or None. `accountNumber`, `acct_no` and `Account No.` are one name."""
    joined = joined_name(name)
    if not joined:
        return None
    for kind, rule in _COMPILED:
        if rule.fullmatch(joined):
            return kind
    return None


def joined_name(name: str) -> str:
    """A name without what separates its words, in lower case."""
    return _BETWEEN.sub("", name).lower()


def counts_things(name: str) -> bool:
    """Whether a name is a plural: with one plain number it counts, with a list it holds them."""
    return bool(_COUNTS.search(joined_name(name)[-8:])) or joined_name(name).endswith("accounts")


def is_explicit(name: str) -> bool:
    """Whether a name says that its value is a number of the kind, so that few digits are enough."""
    return bool(_EXPLICIT.search(joined_name(name)))
