"""The same question by one transport and by the other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from tests.e2e.certificates import HAS_OPENSSL
from tests.e2e.dialects import Anthropic, Chat, Dialect
from tests.e2e.harness import Finclaw, Ran
from tests.e2e.over import over
from tests.wire.transports import TRANSPORTS

each_dialect = pytest.mark.parametrize("dialect", [Anthropic(), Chat()], ids=["anthropic", "openai"])
each_transport = pytest.mark.parametrize("transport", TRANSPORTS)
with_tls = pytest.mark.skipif(not HAS_OPENSSL, reason="openssl makes the certificates")
NOBODY = "http://127.0.0.1:9"


def ask(finclaw: Finclaw, transport: Any, dialect: Dialect, url: str, **env: str) -> Ran:
    base = url if isinstance(dialect, Anthropic) else f"{url}/v1"
    arguments = ("run", "-o", "ndjson", "-m", dialect.model, "--base-url", base, "--retry-attempts", "1", "Hello?")
    return over(transport, finclaw)(*arguments, env=env)


def error(finclaw: Finclaw, dialect: Dialect, url: str, **env: str) -> Mapping[str, Any]:
    """What a run fails with, which is the same by either transport."""
    runs = [ask(finclaw, transport, dialect, url, **env) for transport in TRANSPORTS]
    direct, sdk = [ran.result["error"] for ran in runs]
    assert direct == sdk
    assert [ran.code for ran in runs] == [4, 4]
    told: Mapping[str, Any] = direct
    return told
