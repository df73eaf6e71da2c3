"""Masking of secrets and private financial data, right in both directions: no leak, and no number corrupted."""
