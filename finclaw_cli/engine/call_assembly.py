"""The calls of one turn of a model: their ids, and their input from its pieces."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import chain, count

from finclaw_cli.core.chunks import MAX_CALLS
from finclaw_cli.core.errors import ProviderError
from finclaw_cli.core.growing_text import GrowingText
from finclaw_cli.core.json_text import InvalidJson, parse_object, well_formed
from finclaw_cli.core.messages import ToolCall


def malformed(what: str) -> ProviderError:
    """The chunks of a provider contradict each other."""
    return ProviderError(what, reason="server_error", code="stream_malformed")


def overfull(what: str, limit: int) -> ProviderError:
    """A turn has more parts than it may have."""
    return ProviderError(f"the answer has more than {limit:,} {what}", reason="server_error", code="stream_oversized")


class CallIds:
    """The ids of the calls of one turn: some servers number them anew in each turn, and those get ids of their own.

    Args of the constructor:
        used: the ids of earlier turns.
    """

    def __init__(self, used: Collection[str]) -> None:
        self._used = used
        self._own: dict[str, str] = {}
        self._taken: set[str] = set()

    @property
    def has_changed(self) -> bool:
        """Whether a call has another id than its provider gave it."""
        return any(own != given for given, own in self._own.items())

    def begin(self, given: str) -> str:
        """The id of a call that begins."""
        if given not in self._own:
            names = chain([given], (f"{given}_{number}" for number in count(2)))
            own = next(name for name in names if name not in self._used and name not in self._taken)
            self._own[given] = own
            self._taken.add(own)
        return self._own[given]

    def __getitem__(self, given: str) -> str:
        return self._own.get(given, given)


class ToolInputBuffer:
    """Collects the raw JSON of the calls of one turn, however their pieces interleave.

    Deltas and ends without a start are ignored. A call whose input is not one strict JSON object is still a call,
    marked invalid: the model gets an error, and no tool is run.

    Raises `ProviderError` for a call that starts twice, and for a delta or an end after its end.
    """

    def __init__(self) -> None:
        self._open: dict[str, tuple[str, GrowingText]] = {}
        self._ended: set[str] = set()

    @property
    def open_calls(self) -> int:
        return len(self._open)

    def open_input(self) -> Iterator[str]:
        """What has come so far of calls that are still open."""
        for name, parts in self._open.values():
            yield name
            yield str(parts)

    def start(self, call_id: str, name: str) -> None:
        if call_id in self._open or call_id in self._ended:
            raise malformed("a call started twice")
        if len(self._open) + len(self._ended) == MAX_CALLS:
            raise overfull("calls", MAX_CALLS)
        self._open[call_id] = (name, GrowingText())

    def delta(self, call_id: str, text: str) -> None:
        if call_id in self._open:
            self._open[call_id][1].append(text)
        elif call_id in self._ended:
            raise malformed("the input of a call went on after its end")

    def end(self, call_id: str, invalid: str | None = None) -> ToolCall | None:
        """The finished call, or None where none had begun."""
        if call_id in self._ended:
            raise malformed("a call ended twice")
        if call_id not in self._open:
            return None
        name, parts = self._open.pop(call_id)
        self._ended.add(call_id)
        if invalid is not None:
            return ToolCall(call_id, name, {}, invalid=invalid)
        try:
            return ToolCall(call_id, name, parse_object(well_formed(str(parts))))
        except InvalidJson as error:
            return ToolCall(call_id, name, {}, invalid=str(error))
