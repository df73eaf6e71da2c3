"""A session as one self-contained page of HTML. All its texts are escaped, then cleaned."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from html import escape
from typing import Any

from finclaw_cli.core.clean import clean
from finclaw_cli.listings.sessions.content import SessionFacts
from finclaw_cli.listings.sessions.conversation import Call, Spoken, Words, fit
from finclaw_cli.listings.sessions.markdown import HEADINGS, shown_facts, title
from finclaw_cli.listings.sessions.page import TAIL, head

LINKED = ("https://", "http://", "mailto:")
# Longer texts are not rendered as Markdown, which would take too long.
MOST_RENDERED_CHARS = 50_000


def html_pieces(facts: SessionFacts, items: Iterable[Spoken]) -> Iterator[str]:
    """The page, piece by piece."""
    yield head(title(facts))
    yield f"<h1>{escape(title(facts))}</h1>\n<dl>\n"
    yield "".join(f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>\n" for name, value in shown_facts(facts))
    yield "</dl>\n"
    if facts.damage:
        yield '<p class="damaged">The file of this session is damaged: what could be read of it is here.</p>\n'
    speaker = ""
    for item in items:
        role = item.role if isinstance(item, Words) else "assistant"
        if role != speaker or role == "user":
            speaker = role
            yield f'<h2 class="who">{HEADINGS[role]}</h2>\n'
        yield _call(item) if isinstance(item, Call) else _words(item)
    yield TAIL


def _words(words: Words) -> str:
    if words.role != "assistant":
        return f'<div class="quote" dir="auto">{escape(words.text.strip())}</div>\n'
    return f'<div class="answer" dir="auto">\n{rendered(words.text)}</div>\n'


def _call(item: Call) -> str:
    failed = item.result is not None and item.result.is_error
    parts = [
        '<details class="failed">' if failed else "<details>",
        f"<summary>Call <code>{escape(item.name)}</code>{' failed' if failed else ''}</summary>",
    ]
    if item.arguments is not None:
        parts += ['<p class="label">Arguments</p>', _pre(item.arguments)]
    parts += [f'<p class="label">Approval: {escape(text)}</p>' for text in item.decisions]
    if item.result is None:
        parts.append('<p class="label">No result was recorded.</p>')
    else:
        parts += ['<p class="label">Result</p>', _pre(fit(item.result.content))]
    return "\n".join([*parts, "</details>\n"])


def _pre(text: str) -> str:
    # HTML ignores the first newline in <pre>: this one is ignored instead of one of the text.
    return f"<pre>\n{escape(text)}</pre>"


def rendered(text: str) -> str:
    """Cleaned Markdown as HTML: no HTML of its own, no images, links only to the web and to mail addresses."""
    if len(text) > MOST_RENDERED_CHARS:
        return _pre(text) + "\n"
    return clean(str(_markdown().render(text)))  # again: `&#8238;` has been decoded


@cache
def _markdown() -> Any:
    from markdown_it import MarkdownIt

    class Restricted(MarkdownIt):
        def validateLink(self, url: str) -> bool:  # noqa: N802 - overrides
            return url.lower().startswith(LINKED)

    markdown = Restricted("commonmark", {"html": False}).enable(["table", "strikethrough"]).disable("image")
    markdown.add_render_rule("link_open", _link)
    markdown.add_render_rule("th_open", _cell)
    markdown.add_render_rule("td_open", _cell)
    return markdown


def _cell(renderer: Any, tokens: Any, place: int, options: Any, env: Any) -> str:
    """A cell with its alignment as a class: a policy may forbid styles in attributes."""
    token = tokens[place]
    if style := token.attrs.pop("style", ""):
        token.attrSet("class", style.rpartition(":")[2])
    return str(renderer.renderToken(tokens, place, options, env))


def _link(renderer: Any, tokens: Any, place: int, options: Any, env: Any) -> str:
    """A link without a referrer; its address is shown after its text, unless they are equal."""
    token = tokens[place]
    token.attrSet("rel", "noreferrer noopener nofollow")
    if token.markup == "autolink":
        token.attrSet("class", "bare")
    return str(renderer.renderToken(tokens, place, options, env))
