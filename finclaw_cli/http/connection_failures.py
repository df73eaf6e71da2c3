"""What it means that a connection broke, or never was: named by the error of the system, the proxy or the client.

No SDK is imported here; their exceptions are recognised by the names of their classes.
"""

from __future__ import annotations

import errno
import os
import re
import ssl
from collections.abc import Iterator

from finclaw_cli.core.clean import clean_line
from finclaw_cli.core.errors import ProviderError
from finclaw_cli.http.failures import KEY, malformed, unsendable_key

UNANSWERED = "the server closed the connection without an answer"
_PROXYS_OWN_FAILURE = 500


def from_exception(error: Exception, provider: str) -> ProviderError:
    """Name whatever an HTTP client raised, or an SDK around it. A `ProviderError` stays what it is."""
    if isinstance(error, ProviderError):
        return error
    return _from_transport(error, provider)


def _from_transport(error: BaseException, provider: str) -> ProviderError:
    names = {kind.__name__ for kind in type(error).__mro__}
    if "APIConnectionError" in names and error.__cause__ is not None:
        # The SDKs wrap what their HTTP client raised and keep it as the cause, which is more precise.
        return _from_transport(error.__cause__, provider)
    return _misdirected(error, names, provider) or _broken(error, names, provider)


def _misdirected(error: BaseException, names: set[str], provider: str) -> ProviderError | None:
    """What was never sent, because of something that the user has to set right; None where it is no such thing."""
    if names & {"LocalProtocolError", "UnicodeEncodeError"}:
        return unsendable_key(provider)
    if names & {"UnsupportedProtocol", "InvalidURL"}:
        return ProviderError(
            f"{provider}: not a usable address",
            reason="bad_request",
            code="bad_base_url",
            provider=provider,
            hint="--base-url must begin with http:// or https://",
        )
    if "ProxyError" in names and (refused := re.match(r"(\d{3})\b", str(error))):
        return _refused_by_proxy(int(refused[1]), provider)
    if any(isinstance(cause, ssl.SSLCertVerificationError) for cause in _causes(error)):
        return _untrusted(error, provider)
    return None


def _broken(error: BaseException, names: set[str], provider: str) -> ProviderError:
    if names & {"ConnectTimeout", "PoolTimeout"}:
        return ProviderError(
            f"{provider}: no connection in time",
            reason="timeout",
            code="connect_timeout",
            provider=provider,
            hint="check the network, a proxy, and --base-url",
        )
    if isinstance(error, TimeoutError) or names & {"TimeoutException", "APITimeoutError"}:
        return ProviderError(f"{provider}: no answer in time", reason="timeout", provider=provider)
    if names & {"JSONDecodeError", "DecodingError", "RecursionError"}:
        return malformed(provider)
    if isinstance(error, OSError) or names & {"RequestError", "RemoteProtocolError", "APIConnectionError"}:
        return _disconnected(error, provider, connecting="ConnectError" in names)
    return ProviderError(
        f"{provider}: failed with {type(error).__name__}", reason="server_error", code="unexpected", provider=provider
    )


def _refused_by_proxy(status: int, provider: str) -> ProviderError:
    """A proxy makes no tunnel: what it cannot do now it may do later, what it does not want it will not want again.

    Its words are not repeated: they may be the name and password that it was given.
    """
    is_passing = status >= _PROXYS_OWN_FAILURE
    return ProviderError(
        f"{provider}: the proxy does not let us through (HTTP status {status})",
        reason="connection" if is_passing else "bad_request",
        code="proxy_failed" if is_passing else "proxy_refused",
        provider=provider,
        hint="look at HTTPS_PROXY, ALL_PROXY and NO_PROXY, and at the name and password in them",
    )


def _untrusted(error: BaseException, provider: str) -> ProviderError:
    return ProviderError(
        f"{provider}: cannot connect ({_shown(_cause(error))})",
        reason="bad_request",
        code="untrusted_certificate",
        provider=provider,
        hint="if the server is yours, name the authority that vouches for it in SSL_CERT_FILE",
    )


def _disconnected(error: BaseException, provider: str, *, connecting: bool) -> ProviderError:
    reason_text = _shown(_cause(error))
    what = "cannot connect" if connecting else "the connection broke"
    return ProviderError(
        f"{provider}: {what}" + (f" ({reason_text})" if reason_text else ""),
        reason="connection",
        code="connect_failed" if connecting else "disconnected",
        provider=provider,
        hint="check the network, a proxy, and --base-url" if connecting else None,
    )


def _shown(reason_text: str) -> str:
    return re.sub(KEY, "[key]", clean_line(reason_text)).strip()[:200]


def _cause(error: BaseException) -> str:
    """The error of the system, or else the first one: clients wrap it in less precise ones."""
    for cause in _causes(error):
        if isinstance(cause, OSError) and (reason_text := _in_the_systems_words(cause)):
            return reason_text
    return UNANSWERED if str(error).startswith("Server disconnected") else str(error)


def _causes(error: BaseException) -> Iterator[BaseException]:
    """The exception, and what it was raised from or while handling."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, BaseExceptionGroup):
            cause = cause.exceptions[0]
        yield cause
        cause = cause.__cause__ or cause.__context__


def _in_the_systems_words(error: OSError) -> str:
    """Names that are not found and certificates have words of their own; all else has a number."""
    if error.errno is None or error.errno not in errno.errorcode or isinstance(error, ssl.SSLError):
        return error.strerror or ""
    return os.strerror(error.errno)
