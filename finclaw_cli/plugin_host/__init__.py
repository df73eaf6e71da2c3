"""Finding, checking, trusting and loading plugins, which are imported at their first use."""
