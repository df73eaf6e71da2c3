"""Many runs from a durable queue: `Batch`."""

from finclaw_cli.batch.batch import Batch
from finclaw_cli.batch.lines import BadLine, BadLines
from finclaw_cli.batch.outcome import Stop
from finclaw_cli.batch.queue import BatchStatus, Item, QueueFailed

__all__ = ["BadLine", "BadLines", "Batch", "BatchStatus", "Item", "QueueFailed", "Stop"]
