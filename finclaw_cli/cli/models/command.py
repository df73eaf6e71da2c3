"""`finclaw models`: the available models, their prices, and their values in the settings."""

from typing import Annotated

import typer

from finclaw_cli.cli.complete import complete_model

app = typer.Typer(add_completion=False, rich_markup_mode=None, no_args_is_help=True)

AsJson = Annotated[bool, typer.Option("--json", help="JSON instead of text.")]


def _price_option(name: str, help_text: str) -> typer.models.OptionInfo:
    option: typer.models.OptionInfo = typer.Option(name, metavar="USD", help=help_text)
    return option


@app.callback()
def models() -> None:
    """Show the available models, and set their prices and windows."""


@app.command("list")
def list_models(json: AsJson = False) -> None:
    """List known models, whether there is a key, windows and prices; any other name of a provider works as well.

    Prices are USD per million tokens. In JSON they are strings, null where they are unknown; a cache price of null
    with a known price of input is that price.
    """
    from finclaw_cli.cli.listing import print_json
    from finclaw_cli.cli.models.table import print_models
    from finclaw_cli.listings.models import model_rows

    rows = model_rows()
    if json:
        print_json(rows)
    else:
        print_models(rows)


@app.command("set")
def set_model(
    name: Annotated[str, typer.Argument(metavar="NAME", autocompletion=complete_model, help="The model.")],
    *,
    window: Annotated[int | None, typer.Option(metavar="N", help="Size of its context window in tokens.")] = None,
    max_output: Annotated[int | None, typer.Option(metavar="N", help="Most tokens of one answer.")] = None,
    input: Annotated[str | None, _price_option("--input", "Price of input.")] = None,  # noqa: A002
    output: Annotated[str | None, _price_option("--output", "Price of output.")] = None,
    cache_read: Annotated[str | None, _price_option("--cache-read", "Price of cached input; else as input.")] = None,
    cache_write: Annotated[
        str | None, _price_option("--cache-write", "Price of writing to the cache; else as input.")
    ] = None,
    cache_write_1h: Annotated[
        str | None, _price_option("--cache-write-1h", "The same for an hour; else as --cache-write.")
    ] = None,
    unset: Annotated[bool, typer.Option("--unset", help="Remove all values that were set for the model.")] = False,
    json: AsJson = False,
) -> None:
    """Store values of a model in your settings file, in place of those of the price data.

    Prices are USD per million tokens, and replace all prices of the model: --input and --output go together.
    """
    from finclaw_cli.cli.models.model_set import set_in_settings, unset_in_settings

    given = {
        "window": window,
        "max_output": max_output,
        "input_usd": input,
        "output_usd": output,
        "cache_read_usd": cache_read,
        "cache_write_usd": cache_write,
        "cache_write_1h_usd": cache_write_1h,
    }
    values = {key: value for key, value in given.items() if value is not None}
    if unset:
        unset_in_settings(name, values, as_json=json)
    else:
        set_in_settings(name, values, as_json=json)
