"""A server with a certificate of its own."""

from __future__ import annotations

import ssl
from pathlib import Path

import httpx2
import pytest

from tests.agent.scripts import Scripts
from tests.e2e.certificates import HAS_OPENSSL, Certificates
from tests.e2e.conftest import certificates
from tests.serve.clients import serving

__all__ = ["certificates"]
pytestmark = [pytest.mark.asyncio, pytest.mark.skipif(not HAS_OPENSSL, reason="needs openssl")]


async def test_it_serves_https_and_refuses_origins_without_it(
    without_plugins: Path, script: Scripts, certificates: Certificates
):
    folder = certificates.authority.parent
    async with serving(tls_cert=folder / "cert.pem", tls_key=folder / "key.pem") as served:
        assert served.address.startswith("https://127.0.0.1:")
        trust = ssl.create_default_context(cafile=str(certificates.authority))
        headers = {"authorization": f"Bearer {served.token}"}
        async with httpx2.AsyncClient(base_url=served.address, headers=headers, verify=trust, trust_env=False) as http:
            assert (await http.get("/v1/runs", headers={"origin": served.address})).json() == []
            insecure = served.address.replace("https", "http")
            assert (await http.get("/v1/runs", headers={"origin": insecure})).status_code == 403
