"""`finclaw data repair`: what would correct doubtful prices, applied where that is asked for, and undone."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import date
from typing import Annotated

import typer

from finclaw_cli.sdk import echo, finclaw_home
from finclaw_cli.sdk.render import echo_json
from finclaw_market import given
from finclaw_market.bars import Bar, Basis
from finclaw_market.checks import basis_of, when
from finclaw_market.commands import checked, failed, prices_of
from finclaw_market.mending import repair_words
from finclaw_market.prices import Found
from finclaw_market.queries import bars_between, raw_bars, sources_of
from finclaw_market.remedies import Remedy, change_between, remedy
from finclaw_market.repairs import Applied, applied_to, apply, undo

_JSON = typer.Option("--json", help="One JSON object on stdout.")


@dataclass(frozen=True, slots=True, kw_only=True)
class _State:
    """The bars of a symbol, the repairs that are applied to them, and those that are proposed."""

    symbol: str
    basis: Basis
    raw: list[Bar]
    now: list[Bar]
    applied: list[Applied]
    proposed: Remedy

    def change(self, bars: list[Bar] | tuple[Bar, ...]) -> float | None:
        """The total return of bars over all days, or the price return where there is none."""
        if not self.raw:
            return None
        days = (self.raw[0].day, self.raw[-1].day)
        total = change_between(bars, self.basis, "total", days)
        return total if total is not None else change_between(bars, self.basis, "as_stored", days)


def repair_(
    symbol: Annotated[str, typer.Argument(help="The symbol.")],
    *,
    apply_: Annotated[bool, typer.Option("--apply", help="Apply the proposed repairs.")] = False,
    undo_: Annotated[bool, typer.Option("--undo", help="Show the prices as they were imported again.")] = False,
    as_json_: Annotated[bool, _JSON] = False,
) -> None:
    """Show what would correct probable errors in stored prices; --apply does it, --undo takes it back.

    Imported rows are kept: repaired ones are shown in their place, until that is undone or an import changes them.
    """
    with checked():
        wanted = given.symbol(symbol) or ""
    if apply_ and undo_:
        raise failed("--apply and --undo exclude each other")
    state = _state(wanted)
    changed = 0
    if undo_:
        changed = undo(finclaw_home(), wanted) if state.applied else 0
    elif apply_ and state.proposed.repairs:
        changed = apply(finclaw_home(), wanted, state.raw, state.proposed)
    if as_json_:
        echo_json(_as_json(state, changed=changed, done=_done(apply_=apply_, undo_=undo_)))
        return
    _say(state, changed, apply_=apply_, undo_=undo_)


def _done(*, apply_: bool, undo_: bool) -> str | None:
    return "applied" if apply_ else "undone" if undo_ else None


def _state(symbol: str) -> _State:
    with prices_of() as prices:
        found = prices.one(symbol, date.max)
        if found is None or found.dataset is not None:
            why = f"is from {found.dataset}, which is read-only" if found else "is not in the price store"
            raise failed(f"{symbol} {why}")
        return _read(found)


def _read(found: Found) -> _State:
    name = found.item.symbol
    raw = raw_bars(found.connection, name)
    now = bars_between(found.connection, name, date.min, date.max)
    basis = basis_of(source.basis for source in sources_of(found.connection, raw))
    return _State(
        symbol=name,
        basis=basis,
        raw=raw,
        now=now,
        applied=applied_to(found.connection, name),
        proposed=remedy(name, now, basis),
    )


def _as_json(state: _State, *, changed: int, done: str | None) -> dict[str, object]:
    return {
        "symbol": state.symbol,
        "done": done,
        "bars_changed": changed,
        "applied_before": [asdict(each) for each in state.applied],
        "proposed": [asdict(finding) for finding in state.proposed.findings],
        "without_proposal": [asdict(finding) for finding in state.proposed.left],
        "return": {"now": state.change(state.now), "with_proposed": state.change(state.proposed.bars)},
    }


def _say(state: _State, changed: int, *, apply_: bool, undo_: bool) -> None:
    if undo_:
        echo(f"{state.symbol}: {changed} bars are as imported again." if changed else f"{state.symbol}: no repairs.")
        return
    for each in state.applied:
        echo(f"applied {each.made_at}: {each.date} {each.reason}: {each.change}")
    for finding in state.proposed.findings:
        if finding.repair is not None:
            echo(f"{when(finding)} {finding.kind}: {finding.detail}")
            echo(f"  repair: {repair_words(finding.repair)}")
    for finding in state.proposed.left:
        echo(f"{when(finding)} {finding.kind}: {finding.detail}")
        echo("  no repair is proposed: look at the source, and import corrected prices with --replace")
    _say_effect(state, changed, apply_=apply_)


def _say_effect(state: _State, changed: int, *, apply_: bool) -> None:
    if not state.proposed.repairs:
        echo(f"{state.symbol}: nothing to repair.", err=True)
        return
    before, after = state.change(state.now), state.change(state.proposed.bars)
    if before is not None and after is not None:
        echo(f"return over all days: {before:.2%}, with the repairs {after:.2%}")
    if apply_:
        echo(f"{state.symbol}: {changed} bars repaired; --undo takes that back.")
    else:
        echo(f"Nothing was changed: finclaw data repair {state.symbol} --apply", err=True)
