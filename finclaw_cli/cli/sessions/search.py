"""The output of `finclaw sessions search`."""

from __future__ import annotations

from finclaw_cli.cli.listing import print_json
from finclaw_cli.cli.sessions.filters import Wanted, index
from finclaw_cli.core.clean import clean_line
from finclaw_cli.core.errors import UsageError
from finclaw_cli.output.console import echo, echo_table
from finclaw_cli.search.find import Hit, find
from finclaw_cli.search.query import read_query
from finclaw_cli.settings.paths import sessions_folder

MOST = 1_000


def print_hits(words: list[str], wanted: Wanted, *, ranked: bool, limit: int, as_json: bool) -> None:
    """Print the messages of all sessions that have what is searched for.

    Raises:
        UsageError: there is nothing to search for, or an option has no usable value.
        OutputFailed: the index cannot be used.
    """
    if option := next((word for word in words if word.startswith("--")), None):
        raise UsageError(f"No such option: {option}", hint="finclaw sessions search --help shows the options.")
    query, filters = read_query(" ".join(words)), wanted.filters()
    if not 1 <= limit <= MOST:
        raise UsageError(f"--limit is a number from 1 to {MOST}, not {limit}")
    with index() as connection:
        hits = list(find(connection, sessions_folder(), query, filters, ranked=ranked, limit=limit))
    if as_json:
        print_json(
            [
                {"session": hit.session, "turn": hit.turn, "at": hit.at, "role": hit.role, "text": hit.context}
                for hit in hits
            ]
        )
    elif hits:
        echo_table(("SESSION", "AT", "ROLE", "TEXT"), list(map(_row, hits)), drop=("AT", "ROLE"))
    else:
        echo("No message has these words. A word is found whole; word* finds its beginning.")


def _row(hit: Hit) -> tuple[str, ...]:
    role = f"{hit.role}, turn {hit.turn}" if hit.turn else hit.role
    return hit.session, hit.at[:16].replace("T", " "), role, clean_line(hit.context)
