"""The output of `finclaw prompt`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from finclaw_cli.app.plan import find_installed
from finclaw_cli.app.present import current_context
from finclaw_cli.cli.listing import print_json
from finclaw_cli.core.errors import UsageError
from finclaw_cli.core.json_text import JsonObject
from finclaw_cli.core.ports import whole_prompt
from finclaw_cli.engine.context.estimate import estimated_tokens
from finclaw_cli.output.console import echo, echo_prose, echo_table
from finclaw_cli.output.notice import warn
from finclaw_cli.prompt.builder import tokens
from finclaw_cli.prompt.section import CHANGING, PromptSection, SystemPrompt
from finclaw_cli.settings.load import load_settings
from finclaw_cli.settings.model import Settings


def print_prompt(flags: Mapping[str, object], *, as_json: bool, as_text: bool) -> None:
    """Print the prompt of a run with these settings.

    Raises:
        UsageError: a setting or an option is invalid.
    """
    if as_json and as_text:
        raise UsageError("--json and --text are two forms: give one")
    loaded = load_settings(flags)
    context = current_context(loaded.settings, find_installed(loaded.settings))
    prompt = context.prompt
    if as_json:
        print_json(_json(prompt, loaded.settings))
    elif as_text:
        echo(_words(prompt))
    else:
        _echo_sections(prompt, loaded.settings)
    for problem in (*loaded.warnings, *context.problems, *_too_much(prompt, loaded.settings)):
        warn(str(problem))


def _words(prompt: SystemPrompt) -> str:
    return whole_prompt(prompt.text, prompt.state)


def _tokens(section: PromptSection) -> int:
    return tokens(section, estimated_tokens)


def _total(prompt: SystemPrompt) -> int:
    return sum(map(_tokens, prompt.sections))


def _over_budget(prompt: SystemPrompt, settings: Settings) -> int:
    """By how many tokens the required sections exceed the budget, which is for finclaw's own prompt alone."""
    if settings.prompt_tokens is None or settings.system is not None:
        return 0
    return max(0, _total(prompt) - settings.prompt_tokens)


def _too_much(prompt: SystemPrompt, settings: Settings) -> Iterator[str]:
    if over := _over_budget(prompt, settings):
        yield (
            f"the required sections have {_total(prompt)} tokens, {over} more than the limit of "
            f"{settings.prompt_tokens}"
        )


def _echo_sections(prompt: SystemPrompt, settings: Settings) -> None:
    why = f"yes: there is room for {settings.prompt_tokens} tokens"
    kept = [(section, "") for section in prompt.sections]
    rows = [
        (section.id, str(_tokens(section)), section.source, left_out)
        for section, left_out in (*kept, *((section, why) for section in prompt.left_out))
    ]
    if not rows:
        echo("The system prompt is empty.")
        return
    echo_table(
        ("SECTION", "TOKENS", "FROM", "LEFT OUT"), [*rows, ("total", str(_total(prompt)), "", "")], drop=("FROM",)
    )
    echo_prose(f"\n{_words(prompt)}")


def _json(prompt: SystemPrompt, settings: Settings) -> JsonObject:
    return {
        "mode": settings.prompt_mode,
        "budget": settings.prompt_tokens,
        "total": _total(prompt),
        "over_budget": _over_budget(prompt, settings),
        "sections": [_section(section) for section in prompt.sections],
        "dropped": [_section(section) for section in prompt.left_out],
        "text": prompt.text,
        "state": prompt.state,
    }


def _section(section: PromptSection) -> JsonObject:
    return {
        "id": section.id,
        "title": section.title,
        "tokens": _tokens(section),
        "required": section.required,
        "priority": section.priority,
        "source": section.source,
        "changes": section.id in CHANGING,
    }
