"""A plugin's SQLite file in finclaw's data folder: private, versioned, and safe with any number of processes.

The file has a write-ahead log: readers see the last committed state and never wait for a writer. A file that another
program wrote, that a newer version of the plugin wrote, or that is damaged is left as it is, and reported in one line.
"""

from __future__ import annotations

from finclaw_cli.core.store_file import Mode, Reason, StoreError, StoreFile

__all__ = ["Mode", "Reason", "StoreError", "StoreFile"]
