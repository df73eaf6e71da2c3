"""Headings: what the sections of others are called, and what becomes of those inside them.

Only finclaw and the user's own files choose a heading freely. What others add has its origin in the heading, and
nothing in any added content can pass for the beginning of another section.
"""

from __future__ import annotations

import re
import unicodedata

from finclaw_cli.core.clean import without_hidden
from finclaw_cli.prompt.builtin_sections import MAKERS
from finclaw_cli.prompt.sections import custom

MAX_TITLE = 80
PLUGIN = "plugin:"
# These are compiled when they are used: most prompts are finclaw's own words.
_FIRST_HEADING = r"\A#[ \t]+(.+)(?:\n|\Z)"
_CLOSING = r"[ \t]#+[ \t]*\Z"
# Of any depth but the last, also where spaces stand before it.
_HASHES = r"^(\s*)(#{1,5})(?=\s|$)"
# What makes a heading of the line above it.
_UNDERLINE = r" {0,3}(?:=+|-+)[ \t]*"
# The beginnings of lines that are no plain words: lists, quotes, tables, fences, headings, other rules.
_MARKED = r"\s*(?:[-+*_=>#|`~]|\d+[.)])"
_HTML = r"(?i)</?h[1-6]\b(?:[^<>\n]*>)?"
_WORDS = r"[^\W_]+"


def heading(name: str, title: str, source: str) -> str:
    """What a section is called that finclaw has not written.

    Args:
        name: its id.
        title: what its author calls it; empty where that is left to finclaw.
        source: `user`, `project`, or `plugin:` and a distribution.
    """
    if source == "project" and name == custom.id and not title:
        return "From this project"
    known = MAKERS[name].title if name in MAKERS else name.replace("-", " ").capitalize()
    title = title or known
    if source == "user":
        return f"{title} (from the user)" if _is_of_another(title, name) else title
    return f"{title} ({_whose(source)})"


def _whose(source: str) -> str:
    if source.startswith(PLUGIN):
        return f"from the plugin {one_line(source.removeprefix(PLUGIN))}"
    return "from this project's files"


def _is_of_another(title: str, name: str) -> bool:
    """Whether one of finclaw's sections with another id is called that, however it is written."""
    return any(_words(maker.title) == _words(title) for maker in MAKERS.values() if maker.id != name)


def _words(title: str) -> list[str]:
    return re.findall(_WORDS, unicodedata.normalize("NFKC", title).casefold())


def titled(text: str) -> tuple[str, str]:
    """The heading that a text begins with, if it does, and the rest, without what is hidden in either."""
    text = _plain(text)
    found = re.match(_FIRST_HEADING, text)
    if found is None:
        return "", inner(text)
    return one_line(re.sub(_CLOSING, "", f" {found[1]}")), inner(text[found.end() :])


def one_line(title: str) -> str:
    """A title that is one, and no longer than titles are."""
    words = re.sub(_HTML, " ", without_hidden(title)).split()
    return " ".join(words).lstrip("# ")[:MAX_TITLE].rstrip()


def inner(content: str) -> str:
    """A content that stays within its section: none of its headings, of whatever form, is one of the first level."""
    lines: list[str] = []
    for line in re.sub(_HTML, "**", _plain(content)).split("\n"):
        if re.fullmatch(_UNDERLINE, line) and lines and lines[-1].strip(" \t"):
            _end_words(lines, line)
        else:
            lines.append(re.sub(_HASHES, r"\1\2#", line))
    return "\n".join(lines).strip()


def _plain(text: str) -> str:
    return without_hidden(text).replace("\r\n", "\n").replace("\r", "\n").strip()


def _end_words(lines: list[str], underline: str) -> None:
    """Turn an underlined line into a heading with hashes; below what is no plain words the underline stands apart."""
    if re.match(_MARKED, lines[-1]):
        lines.extend(("", underline))
    else:
        lines[-1] = f"{'##' if '=' in underline else '###'} {lines[-1].strip()}"
