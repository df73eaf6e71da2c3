"""What the text after a number means for it: "is my SSN", "belongs to Jane Roe", "(fax)", the next cell of its row."""

from __future__ import annotations

import re
from functools import lru_cache

from finclaw_cli.masking.people import is_name
from finclaw_cli.masking.social import governor
from finclaw_cli.masking.social_nouns import BREAKS, FILLERS, LEDGER, PERSON_WORDS, Governor, bare, is_thing, named
from finclaw_cli.masking.social_text import plain

_NOUN = r"(?P<noun>(?:the|an?|my|our|your|her|his|their|this|[\w-]+['’]s?)\s[^.,;:!?()|\n]{2,60}"
# "… is the gate code", "…, that's my social", "… belongs to Jane Roe".
_STATED = re.compile(
    r"[\"')\]*`]{0,3}(?:\s?[,;–-])?\s(?:(?:that|this|it)['’]?s|(?:(?:that|this|it|which)\s)?(?:is|was|as)(?P<not>\snot)?|belong(?:s|ing)\sto)\s"
    rf"{_NOUN}|[A-Z][^,;:!?()|\n]{{2,40}}|(?:mine|his|hers|theirs|ours)\b)"
)
# "Is … a part number?"
_ASKED = re.compile(rf"\s{_NOUN})\?")
# "…, call before five", "… is out of stock", "… never arrived": a phone number, or goods.
_TOLD = re.compile(
    r"[,;.]?\s(?:please |or |then )?(?:call|text|dial|ext|ll[aá]m\w+)\b"
    r"|\s(?:\w+ ){0,3}(?:stock|shipped|ships|backordered|arrived|delivered|discontinued|restocked|obsolete)\b",
    re.IGNORECASE,
)
_REMARK = re.compile(r"[\"'*`]{0,2}\s?\((?P<noun>[^()\n]{2,40})\)")
# The next cell of its row, which is its kind, or a remark that names its parts.
_KIND = re.compile(
    r"\"?\s?[|;,\t^]+\s?\"?(?:(?P<ssn>SSN?|SSA\^SS|social security(?: number)?)|"
    r"phone|fax|cell|invoice|order|po|sku|policy)"
    r"\"?\s*(?:[|;,\t^]|$)|\s?\((?:[\w ]+[-/]){2}[\w ]+\)",
    re.IGNORECASE,
)
_CAPITAL = r"[A-Z][^\W\d_]*['’-]?[^\W\d_]*\.?"
_NAME = re.compile(rf"[\s\"'>)\]|,:;*_-]{{0,4}}(?:(?:for|of)\s)?(?P<name>{_CAPITAL}(?:,? {_CAPITAL}){{1,3}})(?![^\W_])")
_BIRTH = re.compile(r"[^|\n]{0,40}\b(?:born|d\.?o\.?b|b-?day|birth(?:day|date)?)\b", re.IGNORECASE)
_CELL = re.compile(
    r"[\"'\s]{0,3}(?:\s{2}|[|\t;,]|[-:]\s)[\s|\"']*(?P<cell>[^|\t;\n\"]{3,60}?)(?=\s{2}|[|\t;\n\"]|$)"
    r"|\s(?P<phrase>[A-Z][a-z]+(?:,? (?:& )?[a-z-]{3,})+|[A-Z][a-z]+ (?=[&-] [a-z]))"
)
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")


@lru_cache(maxsize=4096)
def stated(right: str) -> Governor:
    """What a statement or a remark directly after a number states that it is."""
    if _TOLD.match(right):
        return Governor.THING
    if found := _STATED.match(right) or _ASKED.match(right):
        noun = governor(found.group("noun"))
        is_denied = found.groupdict().get("not") and noun is Governor.SSN
        return Governor.THING if is_denied else noun
    if found := _KIND.match(right):
        return Governor.SSN if found.group("ssn") else Governor.THING
    if found := _REMARK.match(right):
        return governor(found.group("noun"), above=True)
    return Governor.NOTHING


@lru_cache(maxsize=4096)
def person_after(right: str) -> Governor:
    """Whether a person's name stands directly after a number, or a date of birth in the same line."""
    found = _NAME.match(right)
    is_person = found is not None and named(found.group("name").replace(",", " ,").split()) is Governor.PERSON
    return Governor.PERSON if is_person or _BIRTH.match(right) else Governor.NOTHING


@lru_cache(maxsize=4096)
def described(right: str) -> Governor:
    """Whether the next cell, after a number that is the first of its row, describes a thing."""
    found = _CELL.match(plain(right))
    items = _WORD.findall(found.group("cell") or found.group("phrase")) if found else []
    words = [bare(item) for item in items]
    if any(is_thing(word) or word in LEDGER for word in words):
        return Governor.THING
    if len(words) < 2 or all(item[0].isupper() for item in items):  # noqa: PLR2004 - one word is a status as well
        return Governor.NOTHING
    is_known = words[0] in BREAKS or words[0] in FILLERS or not PERSON_WORDS.isdisjoint(words)
    return Governor.NOTHING if is_known or any(map(is_name, words)) else Governor.THING
