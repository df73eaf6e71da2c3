"""Checking a plugin against the contract, as its author would in CI."""

from __future__ import annotations
