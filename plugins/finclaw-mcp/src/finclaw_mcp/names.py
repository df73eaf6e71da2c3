"""What tools of servers are called: `SERVER__tool`, in the letters that every provider of models takes."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Collection

MOST = 64
_OTHERS = re.compile(r"[^a-z0-9_]")


def shown_names(server: str, raw: Collection[str]) -> dict[str, str]:
    """The name of each tool by its name at the server.

    A name that fits as it is stays. One that does not, or that would be the same as another's, ends with a digest of
    the server and the tool: all that would be the same do, so that no order decides.
    """
    plain = {name: f"{server}__{_OTHERS.sub('_', name.lower())}" for name in raw}
    taken = Counter(plain.values())
    return {
        name: shown if taken[shown] == 1 and len(shown) <= MOST else _with_digest(server, name, shown)
        for name, shown in plain.items()
    }


def _with_digest(server: str, name: str, shown: str) -> str:
    digest = hashlib.sha256(f"{server}\0{name}".encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return f"{shown[: MOST - 9]}_{digest}"
