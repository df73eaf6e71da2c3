"""Files of rules: what is not understood is refused."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from finclaw_cli.core.errors import UsageError
from finclaw_cli.policy.parse import parse_rules
from finclaw_cli.settings.policy_files import load_policy

GOOD = """
version = 1

[[rule]]
scope = "tool"
pattern = "pay*"
verdict = "deny"
reason = "not from here"
priority = 5

[[rule]]
scope = "channel"
subject = "ci"
verdict = "require-approval"
"""
BROKEN = {
    "not TOML": "[[rule]\n",
    "half a file": GOOD[:60],
    "an unknown key of a rule": GOOD + 'patern = "x"\n',
    "an unknown key of the file": "rules = []\n",
    "another version": GOOD.replace("version = 1", "version = 2"),
    "a version in words": GOOD.replace("version = 1", 'version = "1"'),
    "a table where a list belongs": '[rule]\nscope = "tool"\nverdict = "deny"\n',
    "no verdict": '[[rule]]\nscope = "tool"\n',
    "no scope": '[[rule]]\nverdict = "deny"\n',
    "an unknown verdict": GOOD.replace('"deny"', '"denied"'),
    "a verdict in capitals": GOOD.replace('"deny"', '"DENY"'),
    "an unknown scope": GOOD.replace('"tool"', '"tools"'),
    "an unknown channel": GOOD.replace('"ci"', '"CI"'),
    "an unknown group": '[[rule]]\nscope = "group"\nsubject = "finanace"\nverdict = "deny"\n',
    "a group in a pattern that does not exist": GOOD.replace("pay*", "money:*"),
    "a pattern no name can match": GOOD.replace("pay*", "Pay*"),
    "an empty pattern": GOOD.replace("pay*", ""),
    "a pattern with a space": GOOD.replace("pay*", "pay *"),
    "a priority in words": GOOD.replace("priority = 5", 'priority = "high"'),
    "a fraction of a priority": GOOD.replace("priority = 5", "priority = 5.5"),
    "an endless priority": GOOD.replace("priority = 5", "priority = inf"),
    "a subject where there is none": '[[rule]]\nscope = "tool"\npattern = "pay"\nsubject = "pay"\nverdict = "deny"\n',
    "a tool rule for no tool": '[[rule]]\nscope = "tool"\nverdict = "deny"\n',
    "an empty subject": '[[rule]]\nscope = "user"\nsubject = ""\nverdict = "deny"\n',
    "a number without end": GOOD.replace("priority = 5", "priority = " + "9" * 5000),
    "an open bracket": GOOD.replace("pay*", "[pay"),
    "a key twice": GOOD.replace("priority = 5", "priority = 5\npriority = 6"),
}


def test_a_whole_file_gives_its_rules():
    deny, ask = parse_rules(GOOD, origin="mine.toml", level="user")
    assert (deny.scope, deny.pattern, deny.verdict, deny.priority) == ("tool", "pay*", "deny", 5)
    assert deny.explanation == "not from here (mine.toml)"
    assert (ask.scope, ask.subject, ask.pattern) == ("channel", "ci", "*")


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_file_is_refused_whole(name: str):
    with pytest.raises(UsageError, match=r"mine\.toml") as refused:
        parse_rules(BROKEN[name], origin="mine.toml", level="user")
    assert refused.value.code == "bad_policy"
    assert refused.value.hint


@pytest.mark.parametrize(
    ("rule", "says"),
    [
        ('scope = "tool"\nverdict = "deny"', r"rule 3: 'pattern' is missing"),
        ('scope = "tool"\npattern = "pay"', r"rule 3: 'verdict' is missing"),
        ('scope = "global"\nverdict = "deny"\ntool = "pay"', r"rule 3: there is no key 'tool'; keys: scope, pattern"),
        ('scope = "global"\nverdict = "deny"\npriority = "1"', r"rule 3: 'priority': Input should be a valid integer"),
    ],
)
def test_a_mistake_is_said_with_the_rules_number_and_the_key(rule: str, says: str):
    with pytest.raises(UsageError, match=says):
        parse_rules(f"{GOOD}\n[[rule]]\n{rule}\n", origin="mine.toml", level="user")


def test_a_file_may_begin_with_a_byte_order_mark(project: Path):
    (project / ".finclaw" / "policy.toml").write_text(GOOD, encoding="utf-8-sig")
    assert [rule.pattern for rule in load_policy([], project).rules] == ["pay*", "*"]


@pytest.mark.parametrize("name", ["", "  "])
def test_a_file_without_a_name_is_refused(project: Path, name: str):
    with pytest.raises(UsageError, match="the name of the policy file is empty"):
        load_policy([name], project)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    (folder / ".finclaw").mkdir(parents=True)
    return folder


def test_the_users_file_stands_beside_the_settings(tmp_path: Path, project: Path):
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "policy.toml").write_text(GOOD)
    loaded = load_policy([], project)
    assert [rule.level for rule in loaded.rules] == ["user", "user"]
    assert loaded.files == (str(tmp_path / "home" / "policy.toml"),)


def test_a_projects_allow_rules_are_left_out_and_said_so(project: Path):
    rules = '[[rule]]\nscope="global"\nverdict="allow"\n[[rule]]\nscope="tool"\npattern="pay"\nverdict="deny"\n'
    (project / ".finclaw" / "policy.toml").write_text(rules)
    loaded = load_policy([], project)
    assert [(rule.verdict, rule.level) for rule in loaded.rules] == [("deny", "project")]
    assert "ignored 1 allow rules" in loaded.warnings[0]


def test_a_named_file_that_is_not_there_is_refused(project: Path):
    with pytest.raises(UsageError, match="no such file"):
        load_policy([str(project / "typo.toml")], project)


def test_a_projects_file_that_is_broken_stops_everything(project: Path):
    (project / ".finclaw" / "policy.toml").write_text("[[rule]]\nverdict = 1\n")
    with pytest.raises(UsageError):
        load_policy([], project)


def test_a_pipe_in_the_place_of_a_file_is_refused_at_once(project: Path):
    os.mkfifo(project / ".finclaw" / "policy.toml")
    with pytest.raises(UsageError, match="not a regular file"):
        load_policy([], project)


def test_a_link_that_leads_nowhere_is_refused(tmp_path: Path, project: Path):
    (tmp_path / "home").mkdir()
    for place in (tmp_path / "home" / "policy.toml", project / ".finclaw" / "policy.toml"):
        place.symlink_to("/nowhere/at/all")
        with pytest.raises(UsageError, match="leads nowhere"):
            load_policy([], project)
        place.unlink()
