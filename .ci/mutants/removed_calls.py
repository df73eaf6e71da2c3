"""The operator that removes a statement which is a bare call, such as `emit(event)` or `await found.append(x)`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import parso

Position = tuple[tuple[int, int], tuple[int, int]]
TRAILER = "trailer"


class RemoveCall:
    """Put `pass` in the place of a call whose value is not used; an operator in the sense of cosmic-ray."""

    def mutation_positions(self, node: Any) -> Iterator[Position]:
        """Yield where the node is a call that is a whole statement."""
        if node.type in {"atom_expr", "power"} and node.parent.type == "simple_stmt" and _ends_with_call(node):
            yield (node.start_pos, node.end_pos)

    def mutate(self, node: Any, _index: int) -> Any:
        """Return the statement that takes its place."""
        return parso.python.tree.Keyword("pass", node.start_pos, prefix=node.get_first_leaf().prefix)


def _ends_with_call(node: Any) -> bool:
    last = node.children[-1]
    return bool(last.type == TRAILER and last.children[0].value == "(")
