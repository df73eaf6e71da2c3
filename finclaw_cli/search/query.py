"""What is searched for: words that must all be there, phrases, words that must not be there."""

from __future__ import annotations

import re

from finclaw_cli.core.errors import UsageError
from finclaw_cli.core.record import record
from finclaw_cli.search.words import is_paired, normal, words_of

_TERM = re.compile(r'(-?)(?:"([^"]*)"|(\S+))')
MOST_TERMS = 32
LONGEST = 1_000
_HINT = 'Words are searched for together; "several words" are a phrase, word* a beginning, -word must not be there.'


@record
class Term:
    """A word, or a phrase, in the form of the index."""

    words: tuple[str, ...]
    is_beginning: bool
    """Whether the last word may go on."""
    is_excluded: bool

    @property
    def match(self) -> str:
        """The term for MATCH of SQLite; its words have no quotes."""
        return f'"{" ".join(self.words)}"' + "*" * self.is_beginning


@record
class Query:
    """All terms of a search; at least one of them is not excluded."""

    terms: tuple[Term, ...]

    @property
    def match(self) -> str:
        """The search for MATCH of SQLite."""
        wanted = " AND ".join(term.match for term in self.terms if not term.is_excluded)
        return f"({wanted})" + "".join(f" NOT {term.match}" for term in self.terms if term.is_excluded)


def read_query(text: str) -> Query:
    """Read what was typed.

    Raises:
        UsageError: it is too long, or has no word that is searched for.
    """
    if len(text) > LONGEST:
        raise UsageError(f"the search has more than {LONGEST} characters", hint=_HINT)
    terms = [term for found in _TERM.finditer(text) if (term := _term(*found.groups())) is not None]
    if len(terms) > MOST_TERMS:
        raise UsageError(f"the search has more than {MOST_TERMS} words", hint=_HINT)
    wanted = [term for term in terms if not term.is_excluded]
    if not wanted:
        raise UsageError("the search has no word that must be there", hint=_HINT)
    return Query((*wanted, *(term for term in terms if term.is_excluded)))


def _term(minus: str, phrase: str | None, word: str | None) -> Term | None:
    given = normal(word or phrase or "")
    words = words_of(given)
    if not words:
        return None
    ends_alone = len(words[-1]) == 1 and is_paired(words[-1])
    if ends_alone and len(words) > 1 and len(words[-2]) == 2 and is_paired(words[-2]):  # noqa: PLR2004 - a pair
        words.pop()  # in the text the run may go on
        ends_alone = False
    # One character of such a script is the beginning of a pair; `word*` is the beginning of a word.
    return Term(tuple(words), ends_alone or given.rstrip().endswith("*"), bool(minus))
