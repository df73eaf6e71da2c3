"""How many random examples property tests have: CI has more of them than the suite."""

from __future__ import annotations

import os

_GIVEN = os.environ.get("FINCLAW_EXAMPLES")
FEW = int(_GIVEN or 20)
"""Of most of them."""
MANY = int(_GIVEN or 30)
"""Of the widest ones."""
