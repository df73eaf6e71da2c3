"""The command `finclaw`, also as `python -m finclaw_cli`."""

from __future__ import annotations

import gc
import os
import sys

# First on the path of imports is the current folder (`python -m`), or the script's: what lies there would be imported
# in the place of libraries.
if (
    (__name__ == "__main__" or os.path.join(sys.path[0], "finclaw") == os.path.realpath(sys.argv[0]))  # noqa: PTH118
    and not sys.flags.safe_path
    and sys.path[0] != os.path.dirname(os.path.dirname(__file__))  # noqa: PTH120
):
    del sys.path[0]

from finclaw_cli import NOT_ON_WINDOWS

if sys.platform == "win32":
    sys.stderr.write(f"finclaw: {NOT_ON_WINDOWS}\n")
    sys.exit(2)  # before an import that fails there

from finclaw_cli.cli.version import print_version

if sys.argv[1:] == ["--version"]:
    print_version()  # and ends the process: nothing else has to be imported for it

from finclaw_cli.cli.early import watch

watch(sys.argv[1:])


def main() -> None:
    """Run the command line and end the process with a documented exit code."""
    # What is imported stays, so looking through it for garbage every 700 objects is lost time.
    gc.set_threshold(5_000, 20, 20)
    from finclaw_cli.cli.leave import leave
    from finclaw_cli.cli.surroundings import check_folder, refuse_plugins_of_libraries, settle_descriptors
    from finclaw_cli.core import exits
    from finclaw_cli.output.clean_stream import clean_standard_streams

    arguments = sys.argv[1:]
    try:
        settle_descriptors()
        refuse_plugins_of_libraries()
        clean_standard_streams()
        check_folder()
        from finclaw_cli.cli.app import main_app

        result = main_app(arguments)
    except BrokenPipeError:
        leave(exits.PIPE_CLOSED)
    except Exception as error:  # noqa: BLE001 - the last place where anything is caught
        from finclaw_cli.cli.error_report import report

        leave(report(error, arguments))
    leave(result if isinstance(result, int) else exits.OK)


if __name__ == "__main__":
    main()
