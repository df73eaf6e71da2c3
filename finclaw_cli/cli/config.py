"""`finclaw config`: the settings and their sources."""

from typing import Annotated

import typer

app = typer.Typer(
    help="Show settings and where they come from.", add_completion=False, rich_markup_mode=None, no_args_is_help=True
)


@app.command()
def show(json: Annotated[bool, typer.Option("--json", help="JSON instead of text.")] = False) -> None:
    """Show every setting, its value, and where the value came from."""
    from finclaw_cli.cli.listing import print_json
    from finclaw_cli.core.json_text import dump_line
    from finclaw_cli.listings.settings import setting_facts
    from finclaw_cli.output.console import echo_table
    from finclaw_cli.output.notice import warn
    from finclaw_cli.settings.load import load_settings

    loaded = load_settings()
    facts = setting_facts(loaded)
    if json:
        print_json(facts)
    else:
        rows = [(name, str(each["origin"]), dump_line(each["value"])) for name, each in facts.items()]
        echo_table(("SETTING", "FROM", "VALUE"), rows, drop=("FROM",))
    for warning in loaded.warnings:
        warn(str(warning))


@app.command()
def schema() -> None:
    """Print the JSON Schema of a settings file, for editors."""
    from finclaw_cli.cli.listing import print_json
    from finclaw_cli.settings.schema import settings_schema

    print_json(settings_schema())


@app.command("set", hidden=True)
def set_(setting: Annotated[list[str] | None, typer.Argument(metavar="[KEY VALUE]")] = None) -> None:  # noqa: ARG001
    """Show where settings are written."""
    from finclaw_cli.core.errors import UsageError
    from finclaw_cli.settings.paths import user_file

    raise UsageError(
        "settings are written in a file, not by a command",
        hint=f"Write a line such as  max_turns = 6  into {user_file()}; prices and windows: finclaw models set.",
    )


@app.command()
def path(json: Annotated[bool, typer.Option("--json", help="JSON instead of text.")] = False) -> None:
    """Show where settings and data are stored, and which of these paths exist."""
    from pathlib import Path

    from finclaw_cli.cli.listing import print_json
    from finclaw_cli.output.console import echo_table
    from finclaw_cli.settings.paths import PROJECT_FILE, home, project_file, user_file

    places = {
        "user settings": user_file(),
        "project settings": project_file(Path.cwd()) or Path.cwd() / PROJECT_FILE,
        "data": home(),
    }
    if json:
        print_json({name.replace(" ", "_"): {"path": str(p), "exists": p.exists()} for name, p in places.items()})
        return
    rows = [(name, "exists" if p.exists() else "absent", str(p)) for name, p in places.items()]
    echo_table(("WHAT", "STATE", "WHERE"), rows, drop=("STATE",))
