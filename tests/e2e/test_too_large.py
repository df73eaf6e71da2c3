"""A question that no window holds fails alone: the session goes on with the next one."""

from __future__ import annotations

import json

import pytest

from tests.e2e.dialects import Anthropic, Chat, Dialect
from tests.e2e.harness import Finclaw, Ran
from tests.wire.server import threaded

pytestmark = pytest.mark.by_agent

BIG = "word " * 40_000
each_dialect = pytest.mark.parametrize("dialect", [Anthropic(), Chat()], ids=["anthropic", "chat"])


def ask(own: Finclaw, dialect: Dialect, url: str, question: str) -> Ran:
    base = ("-m", dialect.model, "--base-url", url if isinstance(dialect, Anthropic) else f"{url}/v1")
    return own("run", "-o", "ndjson", *base, "--session", "s", "--retry-attempts", "1", stdin=question.encode())


@each_dialect
def test_the_next_question_is_sent_without_the_one_that_was_refused(own: Finclaw, dialect: Dialect) -> None:
    refused = dialect.error(400, "invalid_request_error", "prompt is too long: 50000 tokens > 32000 maximum")
    with threaded(refused, refused, dialect.text("small"), dialect.text("again")) as server:
        assert ask(own, dialect, server.url, BIG).code == 5
        assert len(server.requests) == 1
        small = ask(own, dialect, server.url, "Small?")
        again = ask(own, dialect, server.url, "Again?")
        sent = [json.dumps(body) for body in server.bodies]
    assert (small.result["text"], small.code) == ("small", 0)
    assert (again.result["text"], again.code) == ("again", 0)
    assert ["word word" in body for body in sent] == [True, True, False, False]
    assert ["Small?" in body for body in sent] == [False, True, True, True]


@each_dialect
def test_a_known_window_is_not_tried_with_it(own: Finclaw, dialect: Dialect) -> None:
    (own.home / "config.toml").write_text(f'[models."{dialect.model}"]\nwindow = 32000\n')
    refused = dialect.error(400, "invalid_request_error", "prompt is too long: 50000 tokens > 32000 maximum")
    with threaded(refused, dialect.text("small")) as server:
        assert ask(own, dialect, server.url, BIG).code == 5
        small = ask(own, dialect, server.url, "Small?")
        assert "word word" not in json.dumps(server.bodies[-1])
    assert (small.result["text"], small.code) == ("small", 0)


def test_the_transcript_still_has_it(own: Finclaw) -> None:
    dialect = Chat()
    refused = dialect.error(400, "context_length_exceeded", "prompt is too long: 50000 tokens > 32000 maximum")
    with threaded(refused, refused, dialect.text("small")) as server:
        ask(own, dialect, server.url, BIG)
        ask(own, dialect, server.url, "Small?")
    shown = own("sessions", "export", "s", "--format", "json").text
    assert BIG.strip() in shown
    assert own("replay", "--verify", "s").code in {0, 5}
