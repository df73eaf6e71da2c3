"""Using one JSON Schema in a process of its own, with little time and memory.

    python -P -m finclaw_cli.core.schema_worker AT_MOST

The schema and the value stand on two lines of stdin. The answer is one line of JSON: a list of problems,
`[[path, message], …]`, or the reason why the schema cannot be used, a string.
"""

from __future__ import annotations

import json
import resource
import sys

from finclaw_cli.core.json_schema import WORKER_S, BadSchema, compiled, found_problems

MAX_MEMORY_BYTES = 2 << 30


def main() -> None:
    """Answer the one question on stdin."""
    resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY_BYTES, MAX_MEMORY_BYTES))
    seconds = int(WORKER_S) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    schema, value = sys.stdin.read().splitlines()
    try:
        answer: object = found_problems(compiled(json.loads(schema)), json.loads(value), int(sys.argv[1]))
    except BadSchema as error:
        answer = str(error)
    sys.stdout.write(json.dumps(answer))


if __name__ == "__main__":
    main()
