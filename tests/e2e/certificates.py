"""An authority that nobody knows, and a server's certificate that it signed."""

from __future__ import annotations

import shutil
import ssl
import subprocess
from dataclasses import dataclass
from pathlib import Path

NAMES = "subjectAltName=DNS:localhost,DNS:*.example.test,DNS:api.anthropic.com,DNS:api.openai.com,IP:127.0.0.1"
KEY = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")
HAS_OPENSSL = shutil.which("openssl") is not None


@dataclass(frozen=True)
class Certificates:
    """`authority` is the file for `SSL_CERT_FILE`; `server` is for the server's end."""

    authority: Path
    server: ssl.SSLContext


def make_certificates(folder: Path) -> Certificates:
    def openssl(*arguments: str) -> None:
        subprocess.run(["openssl", *arguments], cwd=folder, check=True, capture_output=True)

    (folder / "names").write_text(f"{NAMES}\nauthorityKeyIdentifier=keyid\n")
    root = ("-addext", "keyUsage=critical,keyCertSign", "-keyout", "ca.key", "-out", "ca.pem")
    openssl("req", "-x509", *KEY, "-days", "2", "-subj", "/CN=finclaw test authority", *root)
    openssl("req", *KEY, "-subj", "/CN=localhost", "-keyout", "key.pem", "-out", "request.pem")
    signed = ("-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-days", "2", "-extfile", "names")
    openssl("x509", "-req", "-in", "request.pem", *signed, "-out", "cert.pem")
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(folder / "cert.pem", folder / "key.pem")
    return Certificates(authority=folder / "ca.pem", server=server)
