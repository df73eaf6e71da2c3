"""`finclaw policy`: the decision on a tool with its reasons, and the check of policy files."""

from typing import Annotated

import typer

from finclaw_cli.cli.complete import complete_tool

app = typer.Typer(add_completion=False, rich_markup_mode=None, no_args_is_help=True)
AsJson = Annotated[bool, typer.Option("--json", help="JSON instead of text.")]


@app.callback()
def policy() -> None:
    """Explain what may run and why, and check files of rules."""


@app.command()
def explain(
    tool: Annotated[str, typer.Argument(metavar="TOOL", autocompletion=complete_tool, help="The tool.")],
    channel: Annotated[
        str | None, typer.Option(metavar="tty|pipe|ci|batch|serve", help="The channel of the run.")
    ] = None,
    user: Annotated[str | None, typer.Option(help="The user of the run.")] = None,
    policy: Annotated[list[str] | None, typer.Option(metavar="FILE", help="Further policy file; repeatable.")] = None,
    json: AsJson = False,
) -> None:
    """Show the decision of each stage of the policy on a tool, and which one counts."""
    from finclaw_cli.cli.policy.views import explain_tool

    explain_tool(tool, channel=channel, user=user, policy=policy, as_json=json)


@app.command()
def check(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A file of rules.")],
    json: AsJson = False,
) -> None:
    """Check a file of rules: exit code 2 when a run would refuse it."""
    from finclaw_cli.cli.policy.views import check_file

    check_file(file, as_json=json)
