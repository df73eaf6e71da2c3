"""A session as Markdown. What comes from the session cannot end the block that it stands in, nor go on beyond it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

from finclaw_cli.cli.session_content import SessionFacts
from finclaw_cli.cli.session_conversation import Call, Spoken, Words, fit, line

MOST_TITLE_CHARS = 100
HEADINGS = {"user": "Question", "assistant": "Answer", "system": "System", "tool": "Result"}
_TICKS = re.compile("`+")
# A block that an empty line does not end begins so: a fence, or HTML. One inside a list or a quotation ends with it.
_OPENER = re.compile(r"(?:^|[\r\n]) {0,3}(?:```|~~~|<)")
_MARKUP = re.compile(r"([\\`*_\[\]<>#&!|~$])")


def markdown_pieces(facts: SessionFacts, said: Iterable[Spoken]) -> Iterator[str]:
    """The document, piece by piece: a title, the facts, questions, answers, calls with their results."""
    yield "# " + _MARKUP.sub(r"\\\1", title(facts)) + "\n\n"
    yield "".join(f"- {name}: {code(value)}\n" for name, value in shown_facts(facts))
    speaker = ""
    for item in said:
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
    """What is said above a conversation, each with its name."""
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
    """In how many places the file is damaged; empty where it is whole."""
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
    """Text as a block of code, inside a fence that is longer than any in it."""
    fence = "`" * max(3, _longest(text) + 1)
    return f"{fence}{language}\n{text}{'' if text.endswith(chr(10)) or not text else chr(10)}{fence}"


def _longest(text: str) -> int:
    return max(map(len, _TICKS.findall(text)), default=0)


def _words(words: Words) -> str:
    text = words.text.strip("\n")
    return text if words.role == "assistant" and _ends(text) else _quoted(text)


def _quoted(text: str) -> str:
    """As a quotation, whose end ends whatever was begun in it."""
    return "\n".join(f"> {each}".rstrip() for each in text.split("\n"))


def _ends(text: str) -> bool:
    """Whether what comes after the text stands on its own: no fence, comment or other block of it is left open."""
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
    if item.result is None:
        parts.append("No result was recorded.")
    else:
        parts += ["Failed:" if item.result.is_error else "Result:", fenced(fit(item.result.content))]
    return "\n\n".join(parts)
