"""Installed plugins: which of their code runs, and what their faults leave of a run."""
