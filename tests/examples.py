"""How many random examples the widest property tests have: CI has them all, the suite a fifth."""

from __future__ import annotations

import os

MANY = int(os.environ.get("FINCLAW_EXAMPLES", "100"))
