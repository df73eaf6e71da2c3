"""The commands of `finclaw`, imported one at a time: help and completion import no command."""

import importlib
import os
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from finclaw_cli import __version__
from finclaw_cli.cli.parameters import read_plainly

# Name, module, help. A test compares each line with the command's own help.
COMMANDS: dict[str, tuple[str, str]] = {
    "run": ("finclaw_cli.cli.run.command", "Ask a question; tools read the data, the answer streams to stdout."),
    "replay": (
        "finclaw_cli.cli.replay.command",
        "Stream a recorded session again, verify it, or ask another model its questions.",
    ),
    "sessions": (
        "finclaw_cli.cli.sessions.command",
        "List, search, label, show, export, repair and remove recorded sessions.",
    ),
    "cost": ("finclaw_cli.cli.cost.command", "Show what requests have cost: by model, day, session, tool and more."),
    "batch": (
        "finclaw_cli.cli.batch.command",
        "Run many prompts from a file, within a budget; what was interrupted is taken up again.",
    ),
    "worker": (
        "finclaw_cli.cli.worker.command",
        "Run the items of batches in a PostgreSQL database, beside the workers of other machines.",
    ),
    "serve": (
        "finclaw_cli.cli.serve.command",
        "Serve runs, sessions and costs on this machine: a JSON API, live events, and a page.",
    ),
    "tools": ("finclaw_cli.cli.tools.command", "List, show, call and check tools."),
    "agents": ("finclaw_cli.cli.agents.command", "Show which runs of agents are under way, and which wait."),
    "models": ("finclaw_cli.cli.models.command", "Show the available models, and set their prices and windows."),
    "plugins": ("finclaw_cli.cli.plugins.command", "Show the installed plugins, and trust or revoke them."),
    "skills": ("finclaw_cli.cli.skills.command", "List and show skills: instructions that a model can load."),
    "prompt": ("finclaw_cli.cli.prompt.command", "Show the system prompt, section by section."),
    "policy": ("finclaw_cli.cli.policy.command", "Explain what may run and why, and check files of rules."),
    "context": ("finclaw_cli.cli.context.command", "Show how a session fills its model's context window."),
    "config": ("finclaw_cli.cli.config", "Show settings and where they come from."),
    "events": ("finclaw_cli.cli.events", "Show the contract of the NDJSON output."),
    "doctor": ("finclaw_cli.cli.doctor.command", "Check settings, keys, folders and plugins."),
}


class LazyCommands(TyperGroup):
    """Imports a command's module only when that command is invoked; plugins' commands come from their manifests."""

    _invoking: list[str] | None = None
    """The arguments after the command's name, while it is invoked."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002 - typer's own type is private
        return [*COMMANDS, *(name for name, command in _plugin_commands().items() if command.is_trusted)]

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if not (args[0] in COMMANDS or args[0].startswith("-") or args[0] in _plugin_commands()):
            from finclaw_cli.cli.unknown_command import unknown_command

            raise unknown_command(args[0], self.list_commands(ctx))
        self._invoking = args[1:]
        try:
            return super().resolve_command(ctx, args)
        finally:
            self._invoking = None

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002
        if cmd_name in COMMANDS:
            module, text = COMMANDS[cmd_name]
            return _named(cmd_name, text) if self._invoking is None else _imported(cmd_name, module, self._invoking)
        offered = _plugin_commands().get(cmd_name)
        if offered is None:
            return None
        return _named(cmd_name, offered.help) if self._invoking is None else offered.loaded()


read_plainly()
_SCRIPTS = frozenset({"--show-completion", "--install-completion"})
_HELP = frozenset({"-h", "--help"})
app = typer.Typer(
    cls=LazyCommands,
    context_settings={"help_option_names": ["-h", "--help"]},
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"finclaw {__version__}")
        raise typer.Exit


@app.callback()
def finclaw(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """A finance agent for the command line: streams, pipes, and never moves money unasked."""


def _named(name: str, text: str) -> TyperCommand:
    """A command with the name and the help that listings show."""
    return TyperCommand(name, help=text, short_help=text)


def _imported(name: str, module: str, following: list[str]) -> Any:
    made: typer.Typer = importlib.import_module(module).app
    commands = made.registered_commands
    if len(commands) == 1:
        command = typer.main.get_command(made)
    else:
        # Typer makes all commands of a group, with all their options, where one is wanted.
        made.registered_commands = [one for one in commands if _name(one) in following[:1]] or commands
        command = typer.main.get_group(made)
        made.registered_commands = commands
    command.name = name
    return command


def _name(command: Any) -> str:
    return str(command.name or command.callback.__name__)


def _plugin_commands() -> dict[str, Any]:
    from finclaw_cli.cli.plugins.own_commands import plugin_commands

    return plugin_commands()


def main_app(arguments: list[str]) -> Any:
    """Run the app without its own handling of errors."""
    if arguments[:1] == ["help"]:
        arguments = [*arguments[1:], "--help"]
    elif arguments == ["version"]:
        arguments = ["--version"]
    if "_FINCLAW_COMPLETE" in os.environ:
        from finclaw_cli.cli.complete import offer_choices

        offer_choices()
    if not _SCRIPTS.isdisjoint(arguments):
        from finclaw_cli.cli import completion_script

        completion_script.use()
    width: dict[str, int] = {}
    if len(arguments) <= 1 or not _HELP.isdisjoint(arguments):
        from finclaw_cli.cli import help_pages

        help_pages.use()
        width = {"terminal_width": help_pages.page_width()}
    return app(args=arguments, prog_name="finclaw", standalone_mode=False, **width)
