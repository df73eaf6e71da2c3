"""A run is verified from another folder than the one that it was started in."""

from __future__ import annotations

from dataclasses import replace

from tests.e2e.harness import Finclaw
from tests.e2e.test_verify import LOOK, run, verified


def test_a_policy_that_was_named_from_another_folder_is_found(own: Finclaw):
    (own.cwd / "rules.toml").write_text(
        '[[rule]]\nscope = "tool"\npattern = "price"\nverdict = "deny"\nreason = "not today"\n'
    )
    assert run(own, *LOOK, options=("--policy", "rules.toml")).result["denied"] == ["price"]
    elsewhere = own.cwd / "elsewhere"
    elsewhere.mkdir()
    moved = replace(own, cwd=elsewhere)
    ran = verified(moved)
    assert (ran.code, ran.stderr) == (0, "")
