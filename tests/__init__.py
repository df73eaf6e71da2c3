"""The tests of finclaw."""
