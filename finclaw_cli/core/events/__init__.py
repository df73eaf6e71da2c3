"""The events of a run, by family, and their lines of JSON."""
