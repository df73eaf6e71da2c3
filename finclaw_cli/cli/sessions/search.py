"""The output of `finclaw sessions search`."""

from __future__ import annotations

import gc

from finclaw_cli.cli.listing import print_json
from finclaw_cli.core.clean import clean_line
from finclaw_cli.core.errors import UsageError
from finclaw_cli.listings.sessions.filters import Wanted
from finclaw_cli.listings.sessions.search import hit_facts, hits_of
from finclaw_cli.output.console import echo, echo_table
from finclaw_cli.search.find import Hit


def print_hits(words: list[str], wanted: Wanted, *, ranked: bool, limit: int, as_json: bool) -> None:
    """Print the messages of all sessions that have what is searched for.

    Raises:
        UsageError: there is nothing to search for, or an option has no usable value.
        OutputFailed: the index cannot be used.
    """
    if option := next((word for word in words if word.startswith("--")), None):
        raise UsageError(f"No such option: {option}", hint="finclaw sessions search --help shows the options.")
    gc.disable()  # looking for cycles, of which an index has none, would take a tenth of the time
    hits = hits_of(" ".join(words), wanted, ranked=ranked, limit=limit)
    if as_json:
        print_json(list(map(hit_facts, hits)))
    elif hits:
        echo_table(("SESSION", "AT", "ROLE", "TEXT"), list(map(_row, hits)), drop=("AT", "ROLE"))
    else:
        where = "" if wanted == Wanted() else " in the sessions that meet the conditions"
        echo(f"No message has these words{where}. A word is found whole; word* finds its beginning.")


def _row(hit: Hit) -> tuple[str, ...]:
    role = f"{hit.role}, turn {hit.turn}" if hit.turn else hit.role
    return hit.session, hit.at[:16].replace("T", " "), role, clean_line(hit.context)
