"""A saved filing: its text, and its facts from SEC's own header, from its cover page or from its name."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from finclaw_cli.sdk.tabular import FileProblem
from finclaw_filings.cover_page import Cover, cover_of
from finclaw_filings.filing_facts import FilingFacts, header_facts
from finclaw_filings.html_text import leaves_comment_open, text_of_html, tidy
from finclaw_filings.sec_json import accession_from
from finclaw_filings.section_names import name_of_40f_title
from finclaw_filings.sections import Section, longest_of_each, sections_of
from finclaw_filings.submission import Part, exhibits_read, left_out, main_part, parts_of

MAX_FILING_BYTES = 80_000_000
MAX_TEXT = 20_000_000
_HEAD = 200_000
# Of an exhibit: the part in which its title stands.
_TITLE_PAGE = 1_500
_OPEN_COMMENT = "; warning: a comment in it never ends, and what follows was kept as text"
_PAGE = re.compile(r"<(?:!doctype\s+html|html|body|div|p|table|font|span)\b", re.IGNORECASE)
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
class SavedFiling:
    """The facts in a file itself, and its text."""

    facts: FilingFacts
    text: str
    main: int
    """The length of the report itself; exhibits follow it."""
    exhibits: tuple[Section, ...] = ()
    tickers: tuple[str, ...] = ()
    note: str = ""
    """Notes on what was read, each beginning with a semicolon."""

    def sections(self, form: str) -> list[Section]:
        """The items of the report, and the exhibits that are part of the text: in a 40-F, they are its items."""
        exhibits = [self._titled(section) for section in self.exhibits] if form.startswith("40-F") else self.exhibits
        return longest_of_each([*sections_of(self.text[: self.main], form), *exhibits])

    def _titled(self, section: Section) -> Section:
        lines = self.text[section.start : min(section.stop, section.start + _TITLE_PAGE)].split("\n")
        named = next((name for line in lines if (name := name_of_40f_title(line.strip()))), section.name)
        return replace(section, name=named)


def saved_filing(content: bytes, name: str, form: str | None = None) -> SavedFiling:
    """Read a saved filing: a page, a plain text, or SEC's full submission, of which it takes report and main exhibits.

    Args:
        content: the file.
        name: its name, which may be its accession number.
        form: the form given by the user.

    Raises:
        FileProblem: it is too large, or no text.
    """
    if len(content) > MAX_FILING_BYTES:
        raise FileProblem(f"larger than {MAX_FILING_BYTES} bytes")
    markup = decoded(content)
    header, parts = header_facts(markup), parts_of(markup)
    main = main_part(parts, form or header.form) if parts else Part("", markup)
    if main.is_encoded or main.is_xml:
        raise FileProblem("its main document is no text")
    read = [main, *exhibits_read(parts, main)]
    texts = [_text(part.body) for part in read]
    if not texts[0]:
        raise FileProblem("there is no text in it")
    if sum(map(len, texts)) > MAX_TEXT:
        raise FileProblem(f"its text is longer than {MAX_TEXT} characters")
    cover = cover_of(main.body)
    stem = name.rpartition("/")[2].partition(".")[0]
    named = FilingFacts(accession=accession_from(stem.removesuffix("-index")))
    return SavedFiling(
        facts=header.or_else(cover.facts).or_else(named),
        text="\n\n".join(texts),
        main=len(texts[0]),
        exhibits=tuple(_exhibits(read, texts)),
        tickers=cover.tickers,
        note=_notes(header, cover, left_out(parts, read), any(map(_stays_open, read))),
    )


def _text(body: str) -> str:
    return text_of_html(body) if _PAGE.search(body[:_HEAD]) else tidy(body)


def _stays_open(part: Part) -> bool:
    return _PAGE.search(part.body[:_HEAD]) is not None and leaves_comment_open(part.body)


def _exhibits(read: Sequence[Part], texts: Sequence[str]) -> list[Section]:
    """A section for each exhibit that has a text: `exhibit_99_1`, and with a number where a type comes again."""
    found: list[Section] = []
    taken: Counter[str] = Counter()
    at = len(texts[0])
    for part, text in zip(read[1:], texts[1:], strict=True):
        start = at + len("\n\n")
        at = start + len(text)
        words = re.findall(r"[a-z0-9]+", part.type.lower().removeprefix("ex-"))
        name = "_".join(["exhibit", *words])
        if text:
            taken[name] += 1
            found.append(Section(name=f"{name}_no_{taken[name]}" if taken[name] > 1 else name, start=start, stop=at))
    return found


def _notes(header: FilingFacts, cover: Cover, left: str, unclosed: bool) -> str:  # noqa: FBT001
    differing = [
        f"; its cover page has {name} {there}, not {here} as the header"
        for name, here, there in header.differing(cover.facts)
    ]
    return "".join([left, *differing, *(f"; {what}" for what in cover.unread), _OPEN_COMMENT if unclosed else ""])


def decoded(content: bytes) -> str:
    """The text of a file in its encoding.

    Raises:
        FileProblem: it is a PDF, or no text.
    """
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
