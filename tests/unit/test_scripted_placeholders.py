"""Placeholders in the turns of a scripted model, filled from the results of tools."""

from __future__ import annotations

RESULT = {"rows": [{"close": 1.5}, {"close": 2.5}, {"close": 3.5}], "unit": None, "name": "ACME"}
