"""`finclaw tools`: the installed tools, one tool's schema, a call without a model, a check against the contract."""

from typing import Annotated

import typer

from finclaw_cli.cli.complete import complete_input, complete_plugin, complete_tool

app = typer.Typer(
    help="List, show, call and check tools.", add_completion=False, rich_markup_mode=None, no_args_is_help=True
)
AsJson = Annotated[bool, typer.Option("--json", help="JSON instead of text.")]
ToolName = Annotated[str, typer.Argument(metavar="NAME", autocompletion=complete_tool, help="The tool.")]


@app.command("list")
def list_tools(json: AsJson = False) -> None:
    """List the installed tools, their plugins, and whether they are ready."""
    from finclaw_cli.cli.tools.views import print_tools

    print_tools(as_json=json)


@app.command()
def show(name: ToolName, json: AsJson = False) -> None:
    """Show one tool: its description, its input schema, its flags."""
    from finclaw_cli.cli.tools.views import print_tool

    print_tool(name, as_json=json)


@app.command()
def groups(json: AsJson = False) -> None:
    """List the groups of tools: when a model is offered them, and what they are for."""
    from finclaw_cli.cli.tools.views import print_groups

    print_groups(as_json=json)


@app.command()
def call(
    name: ToolName,
    arguments: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[KEY=VALUE]…",
            autocompletion=complete_input,
            help="The tool's input; or all of it as JSON: a text that begins with {, a .json file, or - for stdin.",
        ),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="The result as JSON, as in a pipe.")] = False,
    csv: Annotated[bool, typer.Option("--csv", help="The result's table as CSV.")] = False,
    as_of: Annotated[str | None, typer.Option(metavar="DATE", help="Nothing later than this date.")] = None,
    timeout: Annotated[float | None, typer.Option(metavar="SECONDS", help="The tool's timeout in seconds.")] = None,
    approve: Annotated[
        list[str] | None,
        typer.Option(metavar="TOOL", help="Approve the call in advance; required for a tool that moves money."),
    ] = None,
    policy: Annotated[list[str] | None, typer.Option(metavar="FILE", help="Further policy file; repeatable.")] = None,
    expect: Annotated[
        list[str] | None,
        typer.Option(metavar="CONDITION", help="Exit with 12 unless it holds: 'total_return >= 0'; repeatable."),
    ] = None,
) -> None:
    """Call a tool without a model: its result goes to stdout.

    On a terminal the result is shown as tables and numbers with their units; a pipe gets JSON.

    Naming a tool here is consent to running it, except where a rule requires approval, where it moves money, or where
    its plugin is not trusted: then the call needs approval at a terminal, or --approve NAME.
    """
    from finclaw_cli.cli.tools.call import ByHand, call_tool

    flags = {"as_of": as_of, "approve": approve or None, "policy": policy or None}
    call_tool(
        ByHand(
            name=name, arguments=arguments or [], flags=flags, timeout_s=timeout, json=json, csv=csv,
            expected=expect or (),
        )
    )  # fmt: skip


@app.command()
def check(
    target: Annotated[
        str,
        typer.Argument(
            metavar="DIST|PATH",
            help="An installed distribution, a .py file, a package or a project.",
            autocompletion=complete_plugin,
        ),
    ],
    json: AsJson = False,
) -> None:
    """Check a plugin against the contract in a separate process, calling its tools' examples.

    Exit code 0 when there is no error (warnings and notes are allowed), 1 when there is one, 2 when there is no such
    plugin. The whole check is limited by the setting `probe_timeout`.
    """
    from finclaw_cli.cli.tools.check import check_plugin

    check_plugin(target, as_json=json)
