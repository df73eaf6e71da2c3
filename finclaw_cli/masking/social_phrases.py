"""Phrases before a number that say what it is: "charge to", "reach us at", "SSN or EIN:"."""

from __future__ import annotations

import re

from finclaw_cli.masking.people import is_name
from finclaw_cli.masking.social_nouns import Governor, bare, is_thing

# "Reach us at 512-33-8841": a phone number. "Charge to:", "60% to", "=SUMIFS(": the code of an account.
_REACHED = re.compile(
    r"\b(?:me|us|him|her|them|reached|called|phoned) (?:at|on|under):? *$|(?:^|[.!?] )text $"
    r"|\b(?:charged?|post(?:ed)?|coded?|book(?:ed)?|reclass(?:ify|ified)?|allocated?|debit(?:ed)?|move|transfer)\b[^:;?!|]{0,40}(?<!\bhim)"
    r"\b(?:to|from|against):? *$|0% (?:to|from) $|^=sumifs?\(.*$"
    r"|\bso# *$|\| *(?:phone|fax|mobile|cell|invoice|order|po|part|sku|policy|account) *\| *$",
    re.IGNORECASE,
)
# "Which state is 512-33-8841 registered in?"
_ABOUT = re.compile(
    r"(?:^|[.?!] )(?:which|what|why|when|where|how)\b([^.;:?!]{1,40})\b(?:is|was|does|did|has) $", re.IGNORECASE
)
# "Comp-TD-Yds:": what each part of the number is.
_PARTS = re.compile(r"\b([A-Z]\w*)-([A-Z]\w*)-([A-Za-z]\w*)\b[^:;]{0,40}: *(?:[A-Z]\w+ )?$")
# "Social security number or employer identification number:".
_ALTERNATIVES = re.compile(
    r"\b(?:ssn|social security(?: number)?|soc\.? sec\.? no\.?)\b[^|;.?!:]{0,100}(?:,| or\b|/)[^|;.?!:]{0,50}"
    r"\b(?:number|no\.?|ein|itin|id|tin)\)?: *$",
    re.IGNORECASE,
)


def phrase(left: str) -> Governor:
    """What a phrase before a number means: one for phone numbers or codes of a ledger, or one that names its parts."""
    if _ALTERNATIVES.search(left):
        return Governor.SSN
    parts = _PARTS.search(left)
    is_thing_of_parts = parts is not None and not any(map(is_name, map(bare, parts.groups())))
    return Governor.THING if is_thing_of_parts or _REACHED.search(left) else Governor.NOTHING


def is_question(left: str) -> bool:
    """Whether a question about the number begins before it, which names nothing that has numbers."""
    found = _ABOUT.search(left)
    return found is not None and not any(is_thing(bare(word)) for word in found.group(1).split())
