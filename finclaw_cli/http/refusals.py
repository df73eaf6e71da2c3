"""Refusals: the answers that are no success, read within bounds and classified by their status.

Neither the headers nor the body can change that: whatever of them cannot be read is left out.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Mapping
from contextlib import suppress
from typing import Final

from finclaw_cli.http.codings import readable

# An error is described in a few hundred bytes; a gateway's web page may be longer, or never end.
MAX_REFUSAL_BYTES = 256 * 1024
MAX_REFUSAL_S = 5.0
MAX_CONTENT_TYPE = 200
_CHARSET = r"""(?i)charset\s*=\s*["']?([\w.:-]+)"""
# Those of the web whose decoders take linear time. Others that Python knows do not, or are for no text at all.
_CHARSETS: Final = frozenset(
    {
        "utf-8", "utf8", "us-ascii", "ascii", "latin1", "utf-16", "utf-16le", "utf-16be", "koi8-r", "koi8-u",
        "gb2312", "gbk", "gb18030", "big5", "euc-jp", "shift-jis", "sjis", "euc-kr", "ks-c-5601-1987", "cp949",
        *(f"iso-8859-{part}" for part in (*range(1, 12), *range(13, 17))),
        *(f"windows-{page}" for page in (874, *range(1250, 1259))),
    }
)  # fmt: skip


async def read_refusal(pieces: AsyncIterator[bytes], headers: Mapping[str, str], provider: str) -> str:
    """Return the beginning of a refusal's body as text; what breaks off in it takes nothing away from the status."""
    body = bytearray()
    with suppress(Exception):
        async with asyncio.timeout(MAX_REFUSAL_S), readable(pieces, headers, provider) as inflated:
            async for piece in inflated:
                body += piece
                if len(body) >= MAX_REFUSAL_BYTES:
                    break
    return body[:MAX_REFUSAL_BYTES].decode(_charset(headers), "replace")


def _charset(headers: Mapping[str, str]) -> str:
    named = re.search(_CHARSET, headers.get("content-type", "")[:MAX_CONTENT_TYPE])
    name = named[1].lower().replace("_", "-") if named else ""
    return name if name in _CHARSETS else "utf-8"
