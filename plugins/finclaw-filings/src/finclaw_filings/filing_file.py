"""A saved filing: its text and its facts, from SEC's own header or from options."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from finclaw_filings.html_text import leaves_comment_open, text_of_html, tidy
from finclaw_filings.problems import FileProblem
from finclaw_filings.sec_json import accession_from, cik_from, date_from, text_from

MAX_FILING_BYTES = 80_000_000
MAX_TEXT = 20_000_000
_HEAD = 200_000
_OPEN_COMMENT = "; warning: a comment in it never ends, and what follows was kept as text"
_HEADER = re.compile(r"^[ \t]*+([A-Z][A-Z /()-]{2,50}):[ \t]*([^\n]*)$", re.MULTILINE)
_DOCUMENT = re.compile(r"<DOCUMENT>\s*+<TYPE>([^\n<]{1,40})", re.IGNORECASE)
_PAGE = re.compile(r"<(?:!doctype\s+html|html|body|div|p|table|font|span)\b", re.IGNORECASE)
_INNER = re.compile(r"^\s*<(?:PDF|XML)>", re.IGNORECASE)
_CHARSET = re.compile(rb"charset\s*=\s*[\"']?([A-Za-z0-9_-]{1,30})", re.IGNORECASE)
# Those of the web whose decoders take linear time, but for ASCII, UTF-8 and Latin-1: what names one of these and is not
# UTF-8 is cp1252 in fact. Python knows others, which take quadratic time (punycode) or are for no text at all.
_CHARSETS = frozenset(
    {
        "koi8-r", "koi8-u", "gb2312", "gbk", "gb18030", "big5", "euc-jp", "shift-jis", "euc-kr", "ks-c-5601-1987",
        "cp949", *(f"iso-8859-{part}" for part in (*range(2, 12), *range(13, 17))),
        *(f"windows-{page}" for page in (874, *range(1250, 1259))),
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class FilingFacts:
    """What a filing is; None for what is not known."""

    cik: int | None = None
    company: str | None = None
    form: str | None = None
    filed: str | None = None
    period: str | None = None
    accession: str | None = None

    def or_else(self, other: FilingFacts) -> FilingFacts:
        """These facts, completed from others."""
        names = ("cik", "company", "form", "filed", "period", "accession")
        return replace(self, **{name: getattr(other, name) for name in names if getattr(self, name) is None})


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedFiling:
    """The facts in a file itself, and its text."""

    facts: FilingFacts
    text: str
    note: str = ""
    """A note on the text, beginning with a semicolon."""


def saved_filing(content: bytes, name: str, form: str | None = None) -> SavedFiling:
    """Read a saved filing: a page, a plain text, or SEC's full submission, whose main document it takes.

    Args:
        content: the file.
        name: its name, which may be its accession number.
        form: the form given by the user.

    Raises:
        FileProblem: it is too large, or no text.
    """
    if len(content) > MAX_FILING_BYTES:
        raise FileProblem(f"larger than {MAX_FILING_BYTES} bytes")
    markup = _decoded(content)
    facts = _header_facts(markup)
    stem = name.rpartition("/")[2].partition(".")[0]
    facts = facts.or_else(FilingFacts(accession=accession_from(stem.removesuffix("-index"))))
    body = _main_document(markup, form or facts.form)
    page = _PAGE.search(body[:_HEAD]) is not None
    text = text_of_html(body) if page else tidy(body)
    if not text:
        raise FileProblem("there is no text in it")
    if len(text) > MAX_TEXT:
        raise FileProblem(f"its text is longer than {MAX_TEXT} characters")
    return SavedFiling(facts=facts, text=text, note=_OPEN_COMMENT if page and leaves_comment_open(body) else "")


def _decoded(content: bytes) -> str:
    if content.startswith(b"%PDF"):
        raise FileProblem("a PDF; save the filing as HTML or text")
    if b"\0" in content[:4096] and not content.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise FileProblem("not a text")
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return content.decode("utf-16", "replace")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode(_declared(content), "replace")


def _declared(content: bytes) -> str:
    found = _CHARSET.search(content[:4096])
    name = found.group(1).decode("ascii").lower().replace("_", "-") if found else ""
    return name if name in _CHARSETS else "cp1252"


def _header_facts(markup: str) -> FilingFacts:
    head = markup[:_HEAD].partition("</SEC-HEADER>")[0]
    if "<SEC-HEADER>" not in head and "<IMS-HEADER>" not in head:
        return FilingFacts()
    fields: dict[str, str] = {}
    for key, value in _HEADER.findall(head):
        fields.setdefault(key.strip(), value.strip())
    number = fields.get("CENTRAL INDEX KEY", "")
    return FilingFacts(
        cik=_cik(number),
        company=text_from(fields.get("COMPANY CONFORMED NAME")),
        form=text_from(fields.get("CONFORMED SUBMISSION TYPE") or fields.get("FORM TYPE"), 20),
        filed=_day(fields.get("FILED AS OF DATE")),
        period=_day(fields.get("CONFORMED PERIOD OF REPORT")),
        accession=accession_from(fields.get("ACCESSION NUMBER")),
    )


def _cik(value: str) -> int | None:
    try:
        return cik_from(value)
    except FileProblem:
        return None


def _day(value: str | None) -> str | None:
    if value is None or not re.fullmatch(r"\d{8}", value):
        return None
    return date_from(f"{value[:4]}-{value[4:6]}-{value[6:]}")


def _main_document(markup: str, form: str | None) -> str:
    """The document of a full submission that is the report itself, or the whole file where it is only one."""
    starts = list(_DOCUMENT.finditer(markup))
    if not starts:
        return markup
    wanted = (form or "").upper()
    chosen = next((found for found in starts if found.group(1).strip().upper() == wanted), starts[0])
    stop = markup.find("</DOCUMENT>", chosen.end())
    document = markup[chosen.end() : stop if stop >= 0 else len(markup)]
    body = document.partition("<TEXT>")[2] or document
    if _INNER.match(body) and "<html" not in body[:1000].lower():
        raise FileProblem("its main document is no text")
    return body.rpartition("</TEXT>")[0] or body
