"""What the words around a number say: which kind of private number it is, or that it is a quantity."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from finclaw_cli.masking.vocabulary import MOVED, ONE, OTHER, TWO


class Label(NamedTuple):
    """What the nearest telling word means. `explicit`: nothing but "number", "no." or "is" is in between."""

    kind: str
    explicit: bool
    plural: bool = False


_KOREAN = re.compile(
    r"(?P<account>계좌(?!수)|통장)|(?P<card>카드(?!론|사(?:$|[^용])|값))|"
    r"(?P<bank>은행|뱅크|농협|신협|새마을금고|우체국|증권|예금주|입금(?!액)|송금(?!액)|이체(?!액))|"
    r"(?P<rrn>주민(?:등록)?번호|주민등록|외국인(?:등록)?번호|외국인등록)|(?P<other>"
    r"계좌수|잔액|잔고|금액|총액|합계(?!좌)|시가총액|거래량|거래대금|매출|이익|자산|부채|자본|주식수|수량|가격|종가|시가|고가|저가|현재가|"
    r"법인|사업자|주문|승인|접수|고유번호|종목|전화|휴대폰|핸드폰|연락처|팩스|송장|운송장|문의|고객센터|일자|날짜|시각|시간|"
    r"입금액|출금액|이체액|한도|발행|상장|건수|조회수|거래번호|참조|예약|등록일|개설일|거래일|결제액|이용액|배당|평가액|"
    r"미수금|미지급|매입|수수료|이용금액|사용액|승인액|취급|대출|총수신|수신고|당기|전기|수익|비용|실적|회원수|고객수|규모|"
    r"(?:(?!계좌|카드|주민|외국인|통장|등록)[가-힣]){1,6}번호)"
)
_WORD = re.compile(r"a/c|(?!ssn-0{3}\b(?!-))[a-z]+|[가-힣]+|#")
_NUMBER_WORDS = frozenset({"number", "numbers", "no", "num", "nr", "nbr", "번호", "ending", "#"})
_FILLERS = _NUMBER_WORDS | {"is", "was", "are", "my", "the", "identification", "security", "id", "pan", "a/c"}
# Short names of banks, right in front of a number only.
_BANK_NAMES = frozenset(
    ("국민", "신한", "우리", "하나", "기업", "카카오", "토스", "수협", "산업", "제일", "씨티", "부산", "대구", "광주")
)
_PLURALS = frozenset({"accounts", "accts"})
# "the balance of your account: …" is about the balance.
_TOLD_OF = re.compile(
    r"(?:balance|amount|total|value|equity|sum|cash|deposits?|funds) (?:on|of|in|for) (?:the|your|my|this|our|each|an) "
    r"(?:[a-z]+ )?(?:account|acct) ?(?::|=|is|was|at|of|totals?|reached)\s*$"
)
_REACH = 9


@lru_cache(maxsize=8192)
def label_in(segment: str) -> Label | None:
    """The nearest telling word of what is written before a number."""
    words = _WORD.findall(segment)
    for index in range(len(words) - 1, max(-1, len(words) - 1 - _REACH), -1):
        if kind := _kind(words, index):
            if kind == "bank" and index and _kind(words, index - 1) == "account":
                kind = "account"  # "입금계좌: 신한 110123456789"
            if kind == "account" and _TOLD_OF.search(segment):
                return Label(OTHER, explicit=False)
            return Label(kind, _is_explicit(words[index:]), plural=words[index] in _PLURALS)
    return None


def _kind(words: list[str], index: int) -> str | None:
    word = words[index]
    if index and (kind := TWO.get((words[index - 1], word))):
        # "the account for the refund" is one.
        return kind if word != "for" or index == len(words) - 1 else None
    if word >= "가":
        if index == len(words) - 1 and word in _BANK_NAMES:
            return "bank"
        nearest = None
        for nearest in _KOREAN.finditer(word):  # noqa: B007 - the last one counts
            pass
        return nearest.lastgroup if nearest else None
    return ONE.get(word)


def _is_explicit(words: list[str]) -> bool:
    first, rest = words[0], words[1:]
    if first >= "가":
        return "번호" in first and not rest
    is_joined = len(first) > len("account") and first.endswith(("number", "no", "num"))
    return (is_joined or not _NUMBER_WORDS.isdisjoint(rest) or first in {"a/c", "acctno"}) and _FILLERS.issuperset(rest)


_AFTER = re.compile(
    r"[\"')\]*`]*\s{0,2}(?:"
    r"(?:is|was|=|being|as)\s{1,2}(?:(?:my|the|your|his|her|our|their|a|an)\s)?(?P<stated>[a-z/]+(?: [a-z]+){0,2})"
    r"|[(\[](?P<noted>[a-z/]+(?: [a-z]+)?)"
    r"|(?:\([가-힣 a-z]{1,12}\)\s?)?(?:[가-힣]{1,6}\s)?(?:[가-힣]{0,4})(?P<account>계좌|통장)(?:번호)?"
    r"(?:[로에이가은는를의]|입니다|예요|$|[^가-힣])"
    r"|(?:가|이|은|는)?\s?(?:제|내|저의|나의|고객님|본인)?\s?(?P<rrn>주민(?:등록)?번호)"
    r"|\s?[,(/]?\s?(?P<bank>예금주)"
    r"|\s?(?:번\s)?(?P<card>(?:신용|체크)?카드)(?:로|에|를|의|번호)"
    r")"
)


@lru_cache(maxsize=4096)
def label_following(segment: str) -> Label | None:
    """What stands right after a number: "… is my account number", "… (SSN)", "… 계좌로"."""
    found = _AFTER.match(segment)
    if not found:
        return None
    if stated := found.group("stated") or found.group("noted"):
        words = _WORD.findall(stated)
        kinds = [kind for index in range(len(words)) if (kind := _kind(words, index))]
        return Label(kinds[0], explicit=False) if kinds and kinds[0] not in {OTHER, MOVED} else None
    return Label(str(found.lastgroup), explicit=False)


_OF = re.compile(r"\s(?:in|of|worth of)\s(?:[a-z]+\s)?([a-z]+)")


def says_quantity(segment: str) -> bool:
    """Whether a number is followed by what it is a number of: "… in volume"."""
    found = _OF.match(segment)
    return bool(found) and ONE.get(found.group(1)) == OTHER if found else False


# What has to be near a number for it to have a label at all.
KOREAN_STEMS = (
    *("은행", "뱅크", "농협", "신협", "금고", "우체국", "계좌", "통장", "카드", "주민", "외국인"),
    *("증권", "예금주", "입금", "송금", "이체"),
    *sorted(_BANK_NAMES),
)
ENGLISH_STEMS = frozenset(
    {word for word, kind in ONE.items() if kind not in {OTHER, MOVED} and "/" not in word}
    | {word for pair, kind in TWO.items() if kind != OTHER for word in pair[:1]}
)
