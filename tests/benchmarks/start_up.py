"""What a command costs before it does anything."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

from tests.benchmarks.checkout import Checkout, python, twenty_plugins
from tests.benchmarks.rows import Pair, Row

BARE_TYPER = "import typer; app = typer.Typer(rich_markup_mode=None); app.command()(lambda: None); app(['--help'])"
COMPLETING = {"_FINCLAW_COMPLETE": "complete_bash", "COMP_WORDS": "finclaw tools sh", "COMP_CWORD": "2"}
TYPER = "import typer, and a bare app's --help"


@contextmanager
def _version(checkout: Checkout) -> Iterator[Pair]:
    with checkout.home() as home:
        yield Pair(ours=partial(home.cpu, "--version"), yardstick=partial(python, "-c", "pass", env=home.env))


@contextmanager
def _with_plugins(checkout: Checkout, *, arguments: tuple[str, ...], env: dict[str, str]) -> Iterator[Pair]:
    with checkout.home(plugins=twenty_plugins()) as home:
        yield Pair(ours=partial(home.cpu, *arguments, **env), yardstick=partial(python, "-c", BARE_TYPER, env=home.env))


def _typer_row(name: str, what: str, *arguments: str, **env: str) -> Row:
    return Row(
        name=name,
        what=what,
        yardstick=TYPER,
        bar=1.3,
        pair=partial(_with_plugins, arguments=arguments, env=env),
    )


ROWS = (
    Row(name="version", what="finclaw --version", yardstick="python -c pass", bar=2, pair=_version),
    _typer_row("help", "finclaw --help, 20 plugins", "--help"),
    _typer_row("tools-list", "finclaw tools list, 20 plugins", "tools", "list"),
    _typer_row("completion", "completing a word, 20 plugins", **COMPLETING),
)
