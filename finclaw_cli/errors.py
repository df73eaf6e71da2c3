"""The errors of finclaw's public interface: a message, a hint, a stable code, and an exit code."""

from finclaw_cli.agent.result import RunFailed
from finclaw_cli.core.errors import (
    CredentialsError,
    FinclawError,
    OutcomeUnknown,
    OutputFailed,
    ProviderError,
    SessionBusy,
    ToolError,
    UsageError,
)

__all__ = [
    "CredentialsError",
    "FinclawError",
    "OutcomeUnknown",
    "OutputFailed",
    "ProviderError",
    "RunFailed",
    "SessionBusy",
    "ToolError",
    "UsageError",
]
