"""Streamed Markdown, split where the text before the split is final."""

from __future__ import annotations

import re

from finclaw_cli.core.growing_text import GrowingText

_FENCE = re.compile(r" {0,3}(?:`{3}|~{3})")
_LONGEST_FENCE = 6
# The beginning of a block that is no list item, quote or table row, which could continue the previous block.
_BLOCK_START = re.compile(r"[^\s\-*+\d>|]")


class UnsettledMarkdown:
    """The end of a streamed text, after its last complete block.

    A block is complete after a blank line outside a fence, as soon as the next block has begun. Each character is
    scanned once, however long a block is.
    """

    def __init__(self, shown_chars: int) -> None:
        self._shown_chars = shown_chars
        self._text = GrowingText()
        self._length = 0
        self.shown = ""
        """The last characters, at most `shown_chars`."""
        self._begin_at_line()

    def __len__(self) -> int:
        return self._length

    def add(self, piece: str) -> str:
        """Add text; return the blocks that it completes, or an empty string."""
        settled = self._scan(piece)
        if settled is None:
            self._keep(piece)
            return ""
        whole = str(self._text) + piece[:settled]
        self._forget()
        self._keep(piece[settled:])
        return whole

    def take(self) -> str:
        """Return the rest, as if it were complete."""
        whole = str(self._text)
        self._forget()
        self._begin_at_line()
        return whole

    def _keep(self, piece: str) -> None:
        self._text.append(piece)
        self._length += len(piece)
        self.shown = (self.shown + piece[-self._shown_chars :])[-self._shown_chars :]

    def _forget(self) -> None:
        self._text, self._length, self.shown = GrowingText(), 0, ""

    def _begin_at_line(self) -> None:
        self._head = ""
        """The beginning of the current line, as long as a fence."""
        self._is_blank = True
        self._is_after_blank = False
        self._is_in_fence = False

    def _scan(self, piece: str) -> int | None:
        """The beginning of the last block of the piece, before which all blocks are complete."""
        settled, at = None, 0
        while at < len(piece):
            end = piece.find("\n", at)
            line = piece[at:] if end < 0 else piece[at:end]
            if self._is_after_blank and not (self._is_in_fence or self._head) and _BLOCK_START.match(line):
                settled = at
            self._head += line[: _LONGEST_FENCE - len(self._head)]
            self._is_blank = self._is_blank and not line.strip(" \t")
            if end < 0:
                break
            self._end_line()
            at = end + 1
        return settled

    def _end_line(self) -> None:
        if _FENCE.match(self._head):
            self._is_in_fence = not self._is_in_fence
        self._is_after_blank = self._is_blank
        self._head, self._is_blank = "", True
