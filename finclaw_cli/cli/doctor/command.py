"""`finclaw doctor`: checks of the installation."""

from typing import Annotated

import typer

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def doctor(json: Annotated[bool, typer.Option("--json", help="JSON instead of text.")] = False) -> None:
    """Check settings, keys, folders and plugins.

    Shows why a plugin is broken; the exit code is 1 when something is wrong.
    """
    from finclaw_cli.cli.doctor.examine import examine, print_findings
    from finclaw_cli.cli.listing import print_json

    findings = examine()
    if json:
        print_json(findings)
    else:
        print_findings(findings)
    if any(finding.state == "wrong" for finding in findings):
        raise typer.Exit(1)
