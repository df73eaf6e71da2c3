"""A session as Markdown. Its texts can neither end the block that contains them nor extend it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

from finclaw_cli.listings.sessions.content import SessionFacts
from finclaw_cli.listings.sessions.conversation import Call, Spoken, Words, fit, line

MOST_TITLE_CHARS = 100
HEADINGS = {"user": "Question", "assistant": "Answer", "system": "System", "tool": "Result"}
_TICKS = re.compile("`+")
# The beginning of a block that an empty line does not end: a fence, or HTML.
_OPENER = re.compile(r"(?:^|[\r\n]) {0,3}(?:```|~~~|<)")
_MARKUP = re.compile(r"([\\`*_\[\]<>#&!|~$])")


def markdown_pieces(facts: SessionFacts, items: Iterable[Spoken]) -> Iterator[str]:
    """The document, piece by piece: a title, the facts, questions, answers, calls with their results."""
    yield "# " + _MARKUP.sub(r"\\\1", title(facts)) + "\n\n"
    yield "".join(f"- {name}: {code(value)}\n" for name, value in shown_facts(facts))
    speaker = ""
    for item in items:
        role = item.role if isinstance(item, Words) else "assistant"
        if role != speaker or role == "user":
            speaker = role
            yield f"\n## {HEADINGS[role]}\n"
        yield f"\n{_call(item) if isinstance(item, Call) else _words(item)}\n"


def title(facts: SessionFacts) -> str:
    """The first question on one line, or the session's name."""
    asked = " ".join(line(facts.question).split())
    if len(asked) > MOST_TITLE_CHARS:
        asked = f"{asked[: MOST_TITLE_CHARS - 1]}…"
    return asked or f"Session {line(facts.session)}"


def shown_facts(facts: SessionFacts) -> list[tuple[str, str]]:
    """The facts above a conversation, with their labels."""
    models = ", ".join(facts.models)
    rows = [
        ("Session", facts.session),
        ("Began", f"{facts.began[:19].replace('T', ' ')} UTC" if facts.began else ""),
        ("Models" if len(facts.models) > 1 else "Model", models),
        ("finclaw", facts.finclaw_version or ""),
        ("Damaged", f"{count} of the file; this is what could be read" if (count := places(facts)) else ""),
    ]
    return [(name, line(value)) for name, value in rows if value]


def places(facts: SessionFacts) -> str:
    """The number of damaged places as text; empty where the file is intact."""
    count = len(facts.damage)
    return f"{count} place{'s' * (count != 1)}" if count else ""


def code(text: str) -> str:
    """Text as a code span."""
    if not text.strip():
        return "` `"
    ticks = "`" * (_longest(text) + 1)
    space = " " if "`" in text or text != text.strip() else ""
    return f"{ticks}{space}{text}{space}{ticks}"


def fenced(text: str, language: str = "") -> str:
    """Text as a code block, inside a fence that is longer than any in it."""
    fence = "`" * max(3, _longest(text) + 1)
    return f"{fence}{language}\n{text}{'' if text.endswith(chr(10)) or not text else chr(10)}{fence}"


def _longest(text: str) -> int:
    return max(map(len, _TICKS.findall(text)), default=0)


def _words(words: Words) -> str:
    text = words.text.strip("\n")
    return text if words.role == "assistant" and _ends(text) else _quoted(text)


def _quoted(text: str) -> str:
    """Text as a quotation, whose end closes each block in it."""
    return "\n".join(f"> {each}".rstrip() for each in text.split("\n"))


def _ends(text: str) -> bool:
    """Whether the text leaves no fence, comment or other block open."""
    if _OPENER.search(text) is None:
        return True
    last = _blocks().parse(f"{text}\n\nx")[-3:]
    return [(token.type, token.level) for token in last[:1]] == [("paragraph_open", 0)] and last[1].content == "x"


@cache
def _blocks() -> Any:
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark").disable("inline")


def _call(item: Call) -> str:
    parts = [f"**Call** {code(item.name)}"]
    if item.arguments is not None:
        parts.append(fenced(item.arguments, "json"))
    parts += [f"Approval: {code(text)}" for text in item.decisions]
    if item.result is None:
        parts.append("No result was recorded.")
    else:
        parts += ["Failed:" if item.result.is_error else "Result:", fenced(fit(item.result.content))]
    return "\n\n".join(parts)
