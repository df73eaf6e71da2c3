"""Whether the permissions of files bind this process."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest


def bind_this_process() -> bool:
    """False for root, but where it was started without that capability (`setpriv --bounding-set=-dac_override`)."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o500)
        return not os.access(folder, os.W_OK)


needs_permissions = pytest.mark.skipif(not bind_this_process(), reason="root may read and write everywhere")
