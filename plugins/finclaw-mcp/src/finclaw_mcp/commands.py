"""`finclaw mcp`: servers added, looked at, trusted and removed; only `test` and `trust` start one. `serve` is one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from finclaw_cli.sdk import ToolError, echo, echo_table
from finclaw_cli.sdk.render import echo_json
from finclaw_cli.sdk.settings import remove_table, table_text, write_table
from finclaw_mcp.entries import NAME, Entry, check_entry, entries
from finclaw_mcp.known import forget, trusted

FAILED = 2
REFUSED = 1
WHERE = ("mcp", "servers")

mcp = typer.Typer(
    name="mcp",
    help="The Model Context Protocol: servers to use, and finclaw as a server.",
    no_args_is_help=True,
)
_JSON = typer.Option("--json", help="One JSON object on stdout.")
_Name = Annotated[str, typer.Argument(help="The server, as the settings name it.")]


@mcp.command()
def add(
    name: Annotated[str, typer.Argument(help="What the server is called: a-z, 0-9 and _.")],
    command: Annotated[list[str] | None, typer.Argument(help="The program and its arguments, after --.")] = None,
    *,
    url: Annotated[str | None, typer.Option(help="The address of its endpoint, in place of a program.")] = None,
    bearer_env: Annotated[
        str | None, typer.Option(help="The variable, or the key in the keyring, with the bearer token for --url.")
    ] = None,
    env: Annotated[
        list[str] | None, typer.Option(help="A variable of its process: NAME=VALUE; ${NAME} for one of yours.")
    ] = None,
) -> None:
    """Add a server to the settings. It is not started, and its tools are not offered until it is trusted."""
    with _trouble():
        if not NAME.fullmatch(name):
            raise ToolError(f"{name!r} is no name of a server: 1 to 24 of a-z, 0-9 and _, beginning with a letter")
        if name in entries():
            raise ToolError(f"there is a server {name} already; `finclaw mcp remove {name}` removes it")
        values = {
            "command": command[0] if command else None,
            "args": command[1:] if command else None,
            "env": dict(map(_variable, env)) if env else None,
            "url": url,
            "bearer_token_env_var": bearer_env,
        }
        given = {key: value for key, value in values.items() if value is not None}
        check_entry(given)
        write_table((*WHERE, name), given)
        echo(f"{name} is in the settings. To look at its tools and offer them: finclaw mcp trust {name}", err=True)


@mcp.command("import")
def import_(
    path: Annotated[Path, typer.Argument(help="Settings of Claude, Cursor, VS Code or codex: JSON or TOML.")],
    *,
    write: Annotated[bool, typer.Option("--write", help="Write the servers into the settings.")] = False,
) -> None:
    """Show the servers of another program's settings as they would be written. None is started or trusted."""
    from finclaw_mcp.importing import servers_in

    with _trouble():
        found = servers_in(path, entries())
        for name, table in found.entries.items():
            if write:
                write_table((*WHERE, name), table)
            else:
                echo(table_text((*WHERE, name), table))
    for line in found.left_out:
        echo(f"left out: {line}", err=True)
    done = "are in the settings now" if write else "would be written; add --write"
    echo(f"{len(found.entries)} servers {done}", err=True)


@mcp.command("list")
def list_(*, as_json_: Annotated[bool, _JSON] = False) -> None:
    """List the servers; none is started."""
    with _trouble():
        rows = [_facts(name, entry) for name, entry in sorted(entries().items())]
    if as_json_:
        echo_json({"servers": rows})
    elif not rows:
        echo("There are no servers. Add one: finclaw mcp add NAME -- COMMAND ARGUMENTS", err=True)
    else:
        cells = [[row["name"], row["state"], str(row["tools"]), row["server"]] for row in rows]
        echo_table(("NAME", "STATE", "TOOLS", "SERVER"), cells)


@mcp.command()
def get(name: _Name, *, as_json_: Annotated[bool, _JSON] = False) -> None:
    """Show a server and its tools as they were trusted; it is not started."""
    with _trouble():
        facts = _facts(name, _entry(name))
        known = trusted(name)
        tools = _tool_rows(name, known.tools, _entry(name)) if known is not None else []
    if as_json_:
        echo_json({**facts, "tools": tools})
        return
    echo(f"{name}: {facts['server']}\n{facts['state']}")
    if tools:
        echo_table(("TOOL", "CALLS", "DESCRIPTION"), [[row["name"], row["calls"], row["description"]] for row in tools])


@mcp.command()
def remove(name: _Name) -> None:
    """Remove a server from the settings, and what is known of it."""
    with _trouble():
        was_there = remove_table((*WHERE, name))
        if not (forget(name) or was_there):
            raise ToolError(f"there is no server {name}")
        echo(f"{name} is removed.", err=True)


@mcp.command("test")
def look_at(name: _Name, *, as_json_: Annotated[bool, _JSON] = False) -> None:
    """Start a server, list its tools, and compare them with those that are trusted."""
    from finclaw_mcp.looking import look

    with _trouble():
        entry = _entry(name)
        found = look(name, entry)
        known = trusted(name)
    changes = found.changes_from(known)
    tools = _tool_rows(name, found.known.tools, entry)
    if as_json_:
        echo_json({**found.facts(name), "changes": changes, "tools": tools})
    else:
        facts = found.facts(name)
        echo(f"{name}: {facts['about']}, protocol {facts['version']}, ready after {facts['ready_s']} s")
        echo_table(("TOOL", "CALLS", "DESCRIPTION"), [[row["name"], row["calls"], row["description"]] for row in tools])
        for kind, names in changes.items():
            if names:
                echo(f"{kind}: {', '.join(names)}", err=True)


@mcp.command()
def trust(
    name: _Name,
    *,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Trust it without a question.")] = False,
) -> None:
    """Start a server, show its command and its tools, and offer these tools from then on."""
    from finclaw_mcp.known import keep
    from finclaw_mcp.looking import look

    with _trouble():
        entry = _entry(name)
        echo(f"{name}: {entry.shown}")
        found = look(name, entry)
        rows = _tool_rows(name, found.known.tools, entry)
        echo_table(("TOOL", "CALLS", "DESCRIPTION"), [[row["name"], row["calls"], row["description"]] for row in rows])
        if not yes and not _agreed(name):
            raise typer.Exit(REFUSED)
        keep(name, entry, found.known)
        echo(f"{name} is trusted as it is now. Undo it with: finclaw mcp remove {name}", err=True)


@mcp.command("serve")
def serve_(
    *,
    tool: Annotated[
        list[str] | None,
        typer.Option("--tool", "-t", help="A tool to offer: a name, a glob, or GROUP:GLOB; what moves money is named."),
    ] = None,
    approve: Annotated[
        list[str] | None, typer.Option(help="A tool approved in advance; one that moves money has to be named.")
    ] = None,
    http: Annotated[
        str | None, typer.Option(metavar="[HOST:]PORT", help="Serve at an address in place of stdin; 0: a free port.")
    ] = None,
    token_file: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The token for --http, in place of a new one; mode 0600.")
    ] = None,
) -> None:
    """Serve finclaw's tools to the client at stdin and stdout: by default those of finance that only read."""
    from finclaw_mcp.launch import serve
    from finclaw_mcp.serving import Serving

    with _trouble():
        serve(Serving(tuple(tool or ()), tuple(approve or ())), http, token_file)


def _agreed(name: str) -> bool:
    import sys

    if not sys.stdin.isatty():
        way = f"finclaw mcp trust {name} --yes"
        raise ToolError(f"{name} is not trusted: there is no terminal to ask on. To trust it: {way}")
    return typer.confirm(f"Trust {name} with these tools?", default=False, err=True)


def _entry(name: str) -> Entry:
    found = entries().get(name)
    if found is None:
        known = ", ".join(sorted(entries())) or "none"
        raise ToolError(f"the settings have no server {name}; there are: {known}")
    return found


def _facts(name: str, entry: Entry) -> dict[str, Any]:
    try:
        known = trusted(name)
    except ToolError:
        state = f"what is stored of it cannot be used: finclaw mcp trust {name}"
        return {"name": name, "state": state, "tools": 0, "server": entry.shown}
    if known is None:
        state = f"not trusted: finclaw mcp trust {name}"
    elif known.entry != entry.digest:
        state = f"changed since it was trusted: finclaw mcp trust {name}"
    else:
        state = "trusted" if entry.enabled else "switched off"
    return {"name": name, "state": state, "tools": len(known.tools) if known else 0, "server": entry.shown}


def _tool_rows(name: str, tools: Any, entry: Entry) -> list[dict[str, str]]:
    from finclaw_mcp.declared import effect_of, specs_of

    by_name = {str(tool["name"]): tool for tool in tools}
    return [
        {"name": spec.name, "calls": CALLS[effect_of(by_name[raw], entry)], "description": spec.description}
        for raw, spec in specs_of(name, tools, entry).items()
    ]


CALLS = {
    "read": "run unasked",
    "claims to read": "ask first (it only reads, as its server declares)",
    "write": "ask first",
    "transact": "ask each time by name: it may place an order",
}
"""How calls of a tool are treated, by what they do."""


def _variable(text: str) -> tuple[str, str]:
    name, sign, value = text.partition("=")
    if not sign or not name:
        raise ToolError(f"--env {text}: it is NAME=VALUE")
    return name, value


@contextmanager
def _trouble() -> Iterator[None]:
    """End the command with one line where it cannot be done."""
    try:
        yield
    except (ToolError, OSError) as error:
        echo(f"finclaw: {error}", err=True)
        raise typer.Exit(FAILED) from None
