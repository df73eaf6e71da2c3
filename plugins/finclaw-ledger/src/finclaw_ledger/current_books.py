"""The books that a call reads: what was imported, or a file of beancount."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AbstractContextManager

from finclaw_cli.sdk import FinanceResult, ToolContext, no_data
from finclaw_ledger.books import Books, cap_of
from finclaw_ledger.open_books import stored_books
from finclaw_ledger.settings import beancount_file


async def ask_books(ctx: ToolContext, question: Callable[[Books], FinanceResult]) -> FinanceResult:
    """Answer a question with the books: the beancount file of the settings, or what was imported.

    The question is called in a thread, where the books are open as long as it lasts.

    Raises:
        ToolError: NO_DATA: there are none, or none up to the run's date; NOT_CONFIGURED: they cannot be read.
    """
    path, cap = beancount_file(ctx), cap_of(ctx)
    if path is None:
        return await asyncio.to_thread(_answered, lambda: stored_books(ctx.home, cap), question)
    from finclaw_ledger.beancount import beancount_books, beancount_postings

    postings = await beancount_postings(path, cap)
    return await asyncio.to_thread(_answered, lambda: beancount_books(postings, cap), question)


def _answered(
    opened: Callable[[], AbstractContextManager[Books]], question: Callable[[Books], FinanceResult]
) -> FinanceResult:
    with opened() as books:
        if not books.spans:
            raise no_data(f"the books hold nothing up to {books.cap}")
        return question(books)
