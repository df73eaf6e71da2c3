"""Composition: from settings to a run, for every front. No Typer, no stdout, no signals, no process exit."""
