"""Many runs, taken from a durable queue: `Batch`."""
