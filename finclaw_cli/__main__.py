"""The command `finclaw`, also as `python -m finclaw_cli`."""

from __future__ import annotations

import sys

from finclaw_cli.cli.early import watch

watch(sys.argv[1:])


def main() -> None:
    """Run the command line and end the process with its exit code."""
    from finclaw_cli.cli.entry import enter

    enter(sys.argv[1:])


if __name__ == "__main__":
    main()
