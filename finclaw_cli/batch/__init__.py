"""Many runs from a durable queue: `Batch`."""

from finclaw_cli.batch.batch import Batch
from finclaw_cli.batch.lines import BadLine, BadLines
from finclaw_cli.batch.outcome import BatchStop
from finclaw_cli.batch.queue import BatchItem, BatchStatus, QueueFailed

__all__ = ["BadLine", "BadLines", "Batch", "BatchItem", "BatchStatus", "BatchStop", "QueueFailed"]
