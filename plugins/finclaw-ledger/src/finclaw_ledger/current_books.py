"""The books that a call reads: what was imported, or a file of beancount."""

from __future__ import annotations

from finclaw_cli.sdk import ToolContext, no_data
from finclaw_ledger.books import Books, cap_of, stored_books
from finclaw_ledger.settings import beancount_file


async def books_of(ctx: ToolContext) -> Books:
    """The books: the beancount file of the settings, or what was imported.

    Raises:
        ToolError: NO_DATA: there are none, or none up to the run's date; NOT_CONFIGURED: they cannot be read.
    """
    import asyncio

    path = beancount_file(ctx)
    if path is not None:
        from finclaw_ledger.beancount import beancount_books

        found = await beancount_books(path, cap_of(ctx))
    else:
        found = await asyncio.to_thread(stored_books, ctx.home, cap_of(ctx))
    if not found.spans:
        raise no_data(f"the books hold nothing up to {found.cap}")
    return found
