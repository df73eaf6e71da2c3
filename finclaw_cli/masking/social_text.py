"""The text before a number of nine digits, without markup and with the words of its keys apart."""

from __future__ import annotations

import re
from functools import lru_cache

from finclaw_cli.masking.people import is_name
from finclaw_cli.masking.social_nouns import SSN_PHRASES, Governor, bare, is_thing

_KEY = re.compile(
    r"[A-Za-z]\w*(?:[._-]\w+)*(?=\s?=|\([\"\'])|(?<=[\"'])[A-Za-z]\w*(?:[._-]\w+)*(?=[\"']\s?[:=])"
    r"|[a-z]\w*(?:[._-]\w+)+(?=\s?:)"
)
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])|[_.-]")
_TAG = re.compile(r"<(/?)([A-Za-z][\w:.-]*)([^<>]*)>")
_INLINE = re.compile(r"b|strong|i|em|span|a|font|u|small|code|mark", re.IGNORECASE)
_LAYOUT = re.compile(
    r"td|th|tr|table|tbody|thead|li|ul|ol|div|p|br|hr|body|html|dd|dt|dl|label|section|pre", re.IGNORECASE
)
_BARS = re.compile(r"\|(?:\s*\|)+")
# The two arguments of `fill("#ssn", "…")`.
_ARGUMENT = re.compile(r"[\"'][#.]?([A-Za-z][\w -]{1,30})[\"']\s?,\s?[\"']?$")
# The codes for such numbers in X12 and HL7; the tax return that is filed under one.
_CODED = re.compile(r"\*SY\*$|(?:^|\n)PID\|(?:[^|\n]*\|){18}$")
_TAX_FORM = re.compile(
    r"\bform 1040(?:-?[a-z]{1,2}\b)?|\b1040-?(?:es|v|x|nr|sr)\b|\bsocial[ _]security[ _]card\b", re.IGNORECASE
)
# With the word for "number" behind it.
_PHRASE = re.compile(rf"(?:{'|'.join(SSN_PHRASES)})[\u0900-\u09ff ]{{0,20}}")
# "Reach us at 512-33-8841": a phone number. "Charge to:", "60% to", "=SUMIFS(": the code of an account.
_REACHED = re.compile(
    r"\b(?:call|reach|reached|called|phoned?|contact|text|fax|ring|ll[aá]m\w+) (?:[\w.-]+ ){0,4}"
    r"(?:at|on|under|to|from|al):? *$|(?:^|[.!?] )text (?:me:? )?$|\b(?:0+|stock|box|case|pack|supply|units|pcs) of $"
    r"|\b(?:accrued?|charged?|post(?:ed)?|coded?|book(?:ed)?|reclass(?:ify|ified)?|allocated?|debit(?:ed)?|move|transfer)\b[^:;?!|]{0,40}(?<!\bhim)"
    r"\b(?:to|from|against):? *$|0% (?:to|from) $|^=sumifs?\(.*$"
    r"|\bso# *$|\| *(?:phone|fax|mobile|cell|invoice|order|po|part|sku|policy|account) *\| *$",
    re.IGNORECASE,
)
# "Comp-TD-Yds:": what each part of the number is.
_PARTS = re.compile(r"\b([A-Z]\w*)[-/]([A-Za-z]\w*)[-/]([A-Za-z]\w*)\b[^:;]{0,40}: *(?:[A-Z]\w+ )?$")
# "Social security number or employer identification number:".
_ALTERNATIVES = re.compile(
    r"\b(?:ssn|social security(?: number)?|soc\.? sec\.? no\.?)\b[^|;.?!:]{0,100}(?: or\b|/)[^|;.?!:]{0,50}"
    r"\b(?:number|no\.?|ein|itin|id|tin)\)?: *$|\bssns?(?: or |/)(?:ein|itin|tin) *$",
    re.IGNORECASE,
)
_ZEROS = str.maketrans("123456789", "0" * 9)
_FORM = re.compile(r"[BbLlSsQq](?:ox|ine|tep|uestion|OX|INE|TEP|UESTION) |[WwIi]-0")
_PLACE = re.compile(  # of a form: "W-2 box a", "step 1(b)"
    r"(?:\bform\s)?(?:\b[wi]-0[a-z]*,?\s)?\b(?:box|line|step|question) (?:0{1,2}[a-h]?|[a-h])(?:\([a-z]\))?(?![\w,])"
    r"|\b[wi]-0\b",
    re.IGNORECASE,
)
# The two keys of `"id_type": "ssn", "id_value": "…"`.
_TYPED = re.compile(
    r'"(?:\w{0,30}(?:type|kind)|k)"\s?:\s?"([\w ]{2,30})"\s?,\s?"(?:\w{0,30}(?:value|number|no)|v)"\s?:\s?"?$',
    re.IGNORECASE,
)
_EMAIL = re.compile(r"<?[\w.+-]{1,64}@[\w.-]{1,64}>?")
_CLASS = re.compile(r"\b(?:class|id|headers|data-label)=[\"']?([\w -]{2,30})")
_FIELDS_OF_INSERT = re.compile(r"\(([^()]{1,200})\)\s*values\s*\(([^()]{0,200})$", re.IGNORECASE)
_QUOTED = re.compile(r"'[^']*'")


def zeroed(text: str) -> str:
    """The text, as long as before, with every digit 0, except for the codes of forms that have such numbers."""
    if "*34*" in text:
        text = text.replace("*34*", "*SY*")
    if "1040" in text or "card" in text:
        text = _TAX_FORM.sub(lambda form: "SSN".ljust(len(form.group())), text)
    return text.translate(_ZEROS)


@lru_cache(maxsize=4096)
def plain(left: str) -> str:
    """The text without markup, and with the words of its keys apart."""
    if '"' in left:
        left = _TYPED.sub(r'"\1": "', left)
    if "@" in left:
        left = _EMAIL.sub(" ", left)
    left = _with_codes(left)
    if "<" in left:
        left = _TAG.sub(_tag, left)
    if "|" in left:
        left = _BARS.sub(" | ", left)
    if _FORM.search(left):
        left = _PLACE.sub("", left)
    return _KEY.sub(lambda key: _HUMP.sub(" ", key.group()).lower(), left)


def _with_codes(left: str) -> str:
    """The text with the codes and phrases for such numbers, and the first argument of a call, as labels."""
    if left.endswith(("'", '"', " ")) and "," in left:
        left = _ARGUMENT.sub(r" | \1: ", left)
    if left.endswith(("*", "|")):
        left = _CODED.sub(" ssn ", left)
    if not left.isascii():
        left = _PHRASE.sub(" ssn ", left)
    return left


def _tag(tag: re.Match[str]) -> str:
    closes, name = tag.group(1), tag.group(2).rpartition(":")[2]
    is_inline = _INLINE.fullmatch(name) is not None
    if closes or is_inline or _LAYOUT.fullmatch(name):
        classes, between = _CLASS.search(tag.group(3)), " " if is_inline else " | "
        words = _HUMP.sub(" ", classes.group(1)).lower() if classes else ""
        if any(map(is_thing, words.split())):
            return f" | {words}: "
        return between
    return f" | {_HUMP.sub(' ', name).lower()}: {tag.group(3)} "


@lru_cache(maxsize=4096)
def column_of_insert(left: str) -> str:
    """The column of an SQL `INSERT` that a value after this text is for, or nothing."""
    found = _FIELDS_OF_INSERT.search(left)
    if not found:
        return ""
    names, index = found.group(1).split(","), _QUOTED.sub("", found.group(2)).count(",")
    return names[index].strip(" \"`'") if index < len(names) else ""


def phrase(left: str) -> Governor:
    """What a phrase before a number means: one for phone numbers or codes of a ledger, or one that names its parts."""
    if _ALTERNATIVES.search(left):
        return Governor.SSN
    parts = _PARTS.search(left)
    is_thing_of_parts = parts is not None and not any(map(is_name, map(bare, parts.groups())))
    return Governor.THING if is_thing_of_parts or _REACHED.search(left) else Governor.NOTHING
