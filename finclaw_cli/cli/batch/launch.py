"""From the command line of `finclaw batch run` to the end of its process."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator, Mapping
from contextlib import aclosing, contextmanager
from pathlib import Path
from typing import Any, Final, NoReturn, cast

from finclaw_cli.batch.batch import Batch
from finclaw_cli.batch.economy import known_economy
from finclaw_cli.batch.queue import BatchStatus, State
from finclaw_cli.batch.report import exit_code, item_json
from finclaw_cli.cli.batch.cluster_options import ClusterOptions
from finclaw_cli.cli.batch.progress import Progress, summary
from finclaw_cli.cli.leave import leave
from finclaw_cli.cli.open_files import FILES_A_RUN, allow_open_files
from finclaw_cli.cli.own_stdout import own_stdout
from finclaw_cli.cli.plugins.event_loop import plugin_runner
from finclaw_cli.cli.run.outputs import failed_output
from finclaw_cli.cli.terminal.signals import SignalHandling, StopScope
from finclaw_cli.cluster.address import require_extra
from finclaw_cli.core.errors import UsageError
from finclaw_cli.core.json_text import dump_line
from finclaw_cli.core.record import record
from finclaw_cli.engine.cancel import Cancellation
from finclaw_cli.output.notice import error_text, notice, warn
from finclaw_cli.output.stream import OutputStream

ROUNDS: Final = (
    "finclaw: batch: each turn of an item waits for a batch of its provider: most for up to an hour, none for more "
    "than a day. Items with many tool calls are sooner done by --economy=flex, where their provider has it. Ctrl-C "
    "ends the waiting, and the same command takes it up."
)
"""What is shown before rounds begin. https://platform.claude.com/docs/en/build-with-claude/batch-processing"""


@record(kw_only=True)
class Wanted:
    """The command line."""

    file: str
    concurrency: int | None
    economy: str | None
    ordered: bool
    skip_bad_lines: bool
    retry: tuple[str, ...]
    """Names of states."""
    quiet: bool
    cluster: ClusterOptions | None
    """Where workers run it; None: this process does."""
    options: Mapping[str, object]
    """The options of `Batch`; None is not given."""


def run_batch(wanted: Wanted) -> NoReturn:
    """Run a batch, and end the process.

    Raises:
        UsageError: the file cannot be read, some of its lines are bad, or an option has a wrong value.
    """
    with _lines(wanted.file) as lines:
        batch = _made(wanted, lines)
    for bad in batch.bad_lines:
        warn(f"left out: {bad}")
    allow_open_files("--concurrency", batch.concurrency, FILES_A_RUN)
    fd = own_stdout()
    leave(plugin_runner().run(_Command(batch, wanted, fd).run()))


def _made(wanted: Wanted, lines: Iterator[bytes]) -> Batch:
    options: Any = {name: value for name, value in wanted.options.items() if value is not None}
    common: Any = {
        "skip_bad_lines": wanted.skip_bad_lines,
        "retry": cast("tuple[State, ...]", wanted.retry),
        **options,
    }
    economy = known_economy(wanted.economy)
    if wanted.cluster is None:
        return Batch.from_settings(lines, concurrency=wanted.concurrency, economy=economy, **common)
    if economy is not None or wanted.concurrency is not None:
        raise UsageError("--cluster goes without --economy and --concurrency", hint="Workers have a --concurrency.")
    require_extra()
    from finclaw_cli.cluster.opening import cluster_queue
    from finclaw_cli.cluster.submitted import SubmittedBatch

    queue = cluster_queue(wanted.cluster.database_url_file, is_insecure=wanted.cluster.insecure_database)
    return SubmittedBatch(queue, lines, notice=lambda line: notice(f"finclaw: batch: {line}"), **common)


@contextmanager
def _lines(file: str) -> Iterator[Iterator[bytes]]:
    if file == "-":
        yield iter(sys.stdin.buffer)
        return
    try:
        with Path(file).open("rb") as opened:
            yield iter(opened)
    except OSError as error:
        raise UsageError(f"{file}: {error.strerror}", code="bad_file") from error


class _Command:
    def __init__(self, batch: Batch, wanted: Wanted, fd: int) -> None:
        self._batch = batch
        self._wanted = wanted
        self._cancellation: Cancellation | None = None
        self._stream = OutputStream(fd, self._output_failed)

    async def run(self) -> int:
        """Run the batch; the exit code."""
        SignalHandling(StopScope(self._end)).attach(asyncio.get_running_loop())
        self._stream.watch_reader()
        async with self._batch as batch:
            if batch.is_in_rounds and not self._wanted.quiet:
                notice(ROUNDS)
            progress = None if self._wanted.quiet else asyncio.create_task(Progress(batch).show())
            try:
                async with aclosing(batch.results(ordered=self._wanted.ordered)) as results:
                    async for item in results:
                        await self._stream.write(dump_line(item_json(item)).encode("ascii") + b"\n")
            finally:
                if progress is not None:
                    progress.cancel()
                    await asyncio.wait([progress])
            status = await batch.end_status()
        return self._code(status)

    def _code(self, status: BatchStatus) -> int:
        stop = self._batch.stop
        if stop is not None:
            notice(error_text(stop))
        if not self._wanted.quiet:
            notice(summary(status, len(self._batch.bad_lines)) + self._goes_on(status))
        if self._cancellation is not None:
            return self._cancellation.exit_code
        return exit_code(status, stop)

    def _goes_on(self, status: BatchStatus) -> str:
        is_left = self._wanted.cluster is not None and self._cancellation is not None and not status.is_finished
        return f"; workers go on: finclaw batch status {status.id} --cluster" if is_left else ""

    def _output_failed(self, error: OSError) -> None:
        failure = failed_output(error)
        if failure.status == "error":
            notice(f"finclaw: {failure.message}")
        self._end(failure)

    def _end(self, reason: Cancellation) -> None:
        self._cancellation = self._cancellation or reason
        self._batch.interrupt(reason)
