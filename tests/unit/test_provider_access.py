"""What is needed to reach a provider."""

from __future__ import annotations

import pytest

from finclaw_cli.app.provider_access import access
from finclaw_cli.core.errors import CredentialsError
from finclaw_cli.providers.config import CONNECT_TIMEOUT_S
from finclaw_cli.providers.facts import ProviderFacts
from finclaw_cli.settings.model import Settings

LOCAL = ProviderFacts(name="local")


@pytest.mark.parametrize(("first_chunk_s", "connect_s"), [(5, 4), (12.5, 10), (60, CONNECT_TIMEOUT_S)])
def test_connecting_may_take_four_fifths_of_the_wait_for_the_first_chunk(first_chunk_s: float, connect_s: float):
    settings = Settings(first_chunk_timeout=first_chunk_s)
    assert access(settings, LOCAL, "http://127.0.0.1:1/v1").connect_timeout_s == pytest.approx(connect_s)


def test_a_provider_without_its_key_is_refused_with_the_name_of_the_variable():
    with pytest.raises(CredentialsError, match="no key for acme: set ACME_KEY"):
        access(Settings(), ProviderFacts(name="acme", key_variable="ACME_KEY"), None)


def test_a_server_at_an_address_of_its_own_needs_no_key():
    facts = ProviderFacts(name="acme", key_variable="ACME_KEY")
    assert access(Settings(), facts, "http://127.0.0.1:1/v1").api_key is None
