"""`finclaw run`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from finclaw_cli.cli.complete import complete_model, complete_session, complete_tool

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def run(
    prompt: Annotated[
        str | None, typer.Argument(metavar="PROMPT", help="What to ask; - reads it from stdin. Piped stdin is added.")
    ] = None,
    interactive: Annotated[
        bool, typer.Option("--interactive", "-i", help="A conversation at the terminal, until Ctrl-D.")
    ] = False,
    model: Annotated[
        str | None,
        typer.Option(
            "--model", "-m", help="Model to ask: provider:model or a known name.", autocompletion=complete_model
        ),
    ] = None,
    fallback: Annotated[
        list[str] | None, typer.Option(help="Model that takes over when the one before fails; repeatable.")
    ] = None,
    base_url: Annotated[str | None, typer.Option(help="Another address for the model's provider.")] = None,
    transport: Annotated[
        str | None, typer.Option(metavar="direct|sdk", help="Reach the provider over HTTP directly, or by its SDK.")
    ] = None,
    system: Annotated[
        str | None, typer.Option("--system", "-s", help="System prompt instead of finclaw's own.")
    ] = None,
    tools: Annotated[
        list[str] | None,
        typer.Option(
            "--tools",
            "-t",
            help="Tools to offer: names, globs or GROUP:GLOB; repeatable. none: no tool.",
            autocompletion=complete_tool,
        ),
    ] = None,
    file: Annotated[list[Path] | None, typer.Option("--file", "-f", help="Attach a text file; repeatable.")] = None,
    encoding: Annotated[
        str | None, typer.Option(help="Encoding of stdin and of attached files; else UTF-8, or what is detected.")
    ] = None,
    input_format: Annotated[
        str, typer.Option(metavar="text|ndjson", help="ndjson: one user message a line on stdin, answered in turn.")
    ] = "text",
    prompt_mode: Annotated[
        str | None, typer.Option(metavar="full|minimal|none", help="How many sections finclaw's own system prompt has.")
    ] = None,
    prompt_tokens: Annotated[int | None, typer.Option(help="Most tokens of finclaw's own system prompt.")] = None,
    temperature: Annotated[float | None, typer.Option(help="Sampling temperature, where the model takes one.")] = None,
    max_output_tokens: Annotated[int | None, typer.Option(help="Most tokens of one turn.")] = None,
    as_of: Annotated[
        str | None, typer.Option(metavar="DATE", help="Tools return nothing later than this date.")
    ] = None,
    agent: Annotated[str | None, typer.Option(help="Agent whose lane the run takes.")] = None,
    output: Annotated[
        str | None, typer.Option("--output", "-o", metavar="text|ndjson|json", help="What stdout carries.")
    ] = None,
    schema: Annotated[
        str | None, typer.Option(help="The answer is JSON valid against this schema: a file, JSON, or name:type,…")
    ] = None,
    verify_numbers: Annotated[
        str | None,
        typer.Option(metavar="off|warn|fail", help="Trace each number of the answer to a tool; fail: exit code 12."),
    ] = None,
    events: Annotated[str | None, typer.Option(metavar="agent|all", help="Families of events in NDJSON.")] = None,
    deltas: Annotated[bool | None, typer.Option("--deltas/--no-deltas", help="Deltas in NDJSON.")] = None,
    stream: Annotated[
        bool | None, typer.Option("--stream/--no-stream", help="Write text to a pipe as it comes.")
    ] = None,
    plain: Annotated[bool | None, typer.Option("--plain/--no-plain", help="No colours, no Markdown.")] = None,
    last_message: Annotated[Path | None, typer.Option(help="Also write the final text to this file.")] = None,
    max_turns: Annotated[int | None, typer.Option(help="Most turns of the run.")] = None,
    max_cost: Annotated[
        str | None,
        typer.Option(metavar="USD", help="Most a run may cost, each message of several; checked before each request."),
    ] = None,
    timeout: Annotated[float | None, typer.Option(help="Longest the run may take, in seconds.")] = None,
    first_chunk_timeout: Annotated[
        float | None, typer.Option(help="Longest wait for the first word, in seconds.")
    ] = None,
    idle_timeout: Annotated[float | None, typer.Option(help="Longest a stream may stand still, in seconds.")] = None,
    max_tool_calls: Annotated[int | None, typer.Option(help="Most tool calls of the run.")] = None,
    max_result_chars: Annotated[int | None, typer.Option(help="Most characters of a tool's result.")] = None,
    retry_attempts: Annotated[int | None, typer.Option(help="Attempts before a request counts as failed.")] = None,
    stdin_timeout: Annotated[float | None, typer.Option(help="Wait for a silent stdin, in seconds.")] = None,
    compaction: Annotated[
        str | None,
        typer.Option(
            metavar="truncate-tools|truncate-oldest|summarize|hybrid",
            help="How a conversation that fills the window is made smaller.",
        ),
    ] = None,
    keep_recent: Annotated[int | None, typer.Option(help="Last messages that are never made smaller.")] = None,
    summary_model: Annotated[
        str | None, typer.Option(help="Model that writes summaries.", autocompletion=complete_model)
    ] = None,
    summary_timeout: Annotated[float | None, typer.Option(help="Longest a summary may take, in seconds.")] = None,
    on_denied: Annotated[
        str | None, typer.Option(metavar="fail|continue", help="Whether a denied tool makes the exit code 8.")
    ] = None,
    approve: Annotated[
        list[str] | None,
        typer.Option(
            "--approve",
            help="Tool approved in advance; one that moves money has to be named, no glob covers it. Repeatable.",
            autocompletion=complete_tool,
        ),
    ] = None,
    approval: Annotated[
        str | None, typer.Option(metavar="terminal|stdio|none", help="Where approvals are asked for.")
    ] = None,
    approval_timeout: Annotated[float | None, typer.Option(help="Wait for an approval, in seconds; then no.")] = None,
    policy: Annotated[list[str] | None, typer.Option(metavar="FILE", help="Further policy file; repeatable.")] = None,
    session: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="Go on with this session, or begin one of this name.", autocompletion=complete_session
        ),
    ] = None,
    go_on: Annotated[bool, typer.Option("--continue", "-c", help="Go on with the session written last.")] = False,
    resume: Annotated[
        bool, typer.Option("--resume", help="Take up the last question of --session, or of the session written last.")
    ] = False,
    save: Annotated[bool | None, typer.Option("--save/--no-save", help="Keep the run's events on disk.")] = None,
    no_plugins: Annotated[bool, typer.Option("--no-plugins", help="Use no plugin at all.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Nothing on stderr but errors.")] = False,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Each step on stderr.")] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Tracebacks of unexpected errors.")] = False,
) -> None:
    """Ask a question; tools read the data, the answer streams to stdout.

    Each option is also a variable and a setting of the same name: --max-turns is FINCLAW_MAX_TURNS in the environment
    and max_turns in a settings file (see finclaw config path).
    """
    from finclaw_cli.cli.launch import Launch, launch
    from finclaw_cli.cli.prepare import CliArguments

    flags = {
        "model": model,
        "fallback": fallback or None,
        "base_url": base_url,
        "transport": transport,
        "system": system,
        "tools": tools or None,
        "prompt_mode": prompt_mode,
        "prompt_tokens": prompt_tokens,
        "temperature": temperature,
        "max_output_tokens": max_output_tokens,
        "as_of": as_of,
        "agent": agent,
        "output": output,
        "verify_numbers": verify_numbers,
        "events": events,
        "deltas": deltas,
        "stream": stream,
        "plain": plain,
        "max_turns": max_turns,
        "max_cost": max_cost,
        "timeout": timeout,
        "first_chunk_timeout": first_chunk_timeout,
        "idle_timeout": idle_timeout,
        "max_tool_calls": max_tool_calls,
        "max_result_chars": max_result_chars,
        "compaction": compaction,
        "keep_recent": keep_recent,
        "summary_model": summary_model,
        "summary_timeout": summary_timeout,
        "retry_attempts": retry_attempts,
        "stdin_timeout": stdin_timeout,
        "on_denied": on_denied,
        "approve": approve or None,
        "approval": approval,
        "approval_timeout": approval_timeout,
        "policy": policy or None,
        "save": save,
    }
    given = CliArguments(
        flags=flags,
        prompt=prompt,
        files=tuple(file or ()),
        encoding=encoding,
        input_format=input_format,
        schema=schema,
        use_plugins=not no_plugins,
        last_message=last_message,
        session=session,
        go_on=go_on,
        resume=resume,
        interactive=interactive,
    )
    launch(Launch(given=given, quiet=quiet, verbose=verbose, debug=debug))
