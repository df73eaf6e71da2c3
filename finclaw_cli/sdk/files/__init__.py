"""Files of a workspace for plugins, without races and links that lead out, and files of finclaw's data folder.

`read_file` and `write_file` serve most tools; `workspace_root` gives the open folder to those that list it, follow
links inside it, or make folders. All of them raise `Refused`, which `refusals_as_errors` turns into a tool's error.
"""

from finclaw_cli.core.files import private_folder, read_regular, regular_chunks, replace_file
from finclaw_cli.sdk.files.atomic import MAX_BYTES, Existing, existing, replace
from finclaw_cli.sdk.files.beneath import FILE, FOLDER, Found, Opener, WithoutLinks
from finclaw_cli.sdk.files.locking import locked
from finclaw_cli.sdk.files.names import MAX_PATH, Parts, shown
from finclaw_cli.sdk.files.refusal import Refused, from_os
from finclaw_cli.sdk.files.root import Root, Target, below, regular
from finclaw_cli.sdk.files.workspace import (
    check_current,
    private_copy,
    read_file,
    refusals_as_errors,
    workspace_root,
    write_file,
)

__all__ = [
    "FILE",
    "FOLDER",
    "MAX_BYTES",
    "MAX_PATH",
    "Existing",
    "Found",
    "Opener",
    "Parts",
    "Refused",
    "Root",
    "Target",
    "WithoutLinks",
    "below",
    "check_current",
    "existing",
    "from_os",
    "locked",
    "private_copy",
    "private_folder",
    "read_file",
    "read_regular",
    "refusals_as_errors",
    "regular",
    "regular_chunks",
    "replace",
    "replace_file",
    "shown",
    "workspace_root",
    "write_file",
]
