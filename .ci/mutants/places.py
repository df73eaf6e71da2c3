"""The places that can be mutated: each an occurrence of one of cosmic-ray's operators, or of our own."""

from __future__ import annotations

import ast
import random
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import cosmic_ray.plugins
from cosmic_ray.ast import get_ast
from cosmic_ray.mutating import MutationVisitor
from removed_calls import RemoveCall

OWN = "own/RemoveCall"
ALMOST_ALWAYS_EQUIVALENT = {
    *("core/VariableInserter", "core/VariableReplacer"),  # they need names to be given
    *("core/ReplaceComparisonOperator_Eq_Is", "core/ReplaceComparisonOperator_NotEq_IsNot"),
    *("core/ReplaceComparisonOperator_Is_Eq", "core/ReplaceComparisonOperator_IsNot_NotEq"),
    *("core/ReplaceBinaryOperator_BitOr_Add", "core/ReplaceBinaryOperator_BitOr_BitXor"),  # most are flags
}
# The nodes of parso that the operators look at; for all others there is nothing to ask.
OF_NODES = {
    "operator": "ReplaceBinaryOperator",
    "comparison": "ReplaceComparisonOperator",
    "factor": "ReplaceUnaryOperator",
    "not_test": "ReplaceUnaryOperator",
    "keyword": "Replace",
    "number": "NumberReplacer",
    "except_clause": "ExceptionReplacer",
    "if_stmt": "AddNot",
    "while_stmt": "AddNot",
    "assert_stmt": "AddNot",
    "test": "AddNot",
    "for_stmt": "ZeroIterationForLoop",
    "decorator": "RemoveDecorator",
    "atom_expr": "RemoveCall",
    "power": "RemoveCall",
}
# Without them, a program computes the same: they are for the type checker, or for speed.
DECORATORS_WITHOUT_EFFECT = {"cache", "cached_property", "final", "lru_cache", "overload", "override", "wraps"}


@dataclass(frozen=True)
class Place:
    """One application of an operator in a file."""

    path: str
    operator: str
    occurrence: int
    line: int
    column: int


@dataclass(frozen=True)
class Mutant:
    """A place, and the text of its file with the mutation."""

    place: Place
    before: str
    after: str


@cache
def operators() -> dict[str, Any]:
    """All operators that are used, by name."""
    names = sorted(set(cosmic_ray.plugins.operator_names()) - ALMOST_ALWAYS_EQUIVALENT)
    return {**{name: cosmic_ray.plugins.get_operator(name)() for name in names}, OWN: RemoveCall()}


@cache
def _of_node(kind: str, value: str) -> tuple[tuple[str, Any], ...]:
    """The operators that may apply to a node of a kind; for an operator's sign, those that replace this sign."""
    begin = OF_NODES.get(kind)
    if begin is None:
        return ()
    found = [(name, one) for name, one in operators().items() if name.split("/")[1].startswith(begin)]
    if kind == "operator":
        found = [(name, one) for name, one in found if one.examples()[0].pre_mutation_code.split()[1] == value]
    return tuple(found)


def _nodes(node: Any, *, skipped: bool = False) -> Iterator[tuple[Any, bool]]:
    """All nodes in the order of cosmic-ray's visitor, each with whether mutations of it are left out."""
    skipped = skipped or _left_out(node)
    yield node, skipped
    annotated = False
    for child in getattr(node, "children", ()):
        annotated = annotated or (node.type in {"funcdef", "tfpdef", "annassign"} and _is_sign(child, "->", ":"))
        if (
            node.type in {"funcdef", "annassign"}
            and annotated
            and _is_sign(child, ":" if node.type == "funcdef" else "=")
        ):
            annotated = False
        yield from _nodes(child, skipped=skipped or annotated)


def _is_sign(node: Any, *signs: str) -> bool:
    return node.type == "operator" and node.value in signs


def _left_out(node: Any) -> bool:
    if node.type == "decorator":
        return node.children[1].get_code().strip().split(".")[-1] in DECORATORS_WITHOUT_EFFECT
    if node.type == "if_stmt":
        condition = node.children[1].get_code()
        return "TYPE_CHECKING" in condition or "__main__" in condition
    if node.type == "expr_stmt" and node.parent.parent is not None and node.parent.parent.type == "file_input":
        return _is_alias(node.get_code())
    return False


def _is_alias(statement: str) -> bool:
    """Whether a statement at the level of a module is a name for types, such as `Row = Mapping[str, int] | None`."""
    tree = ast.parse(statement.strip()).body[0]
    value = getattr(tree, "value", None)
    parts = (ast.Name, ast.Attribute, ast.Constant, ast.Subscript, ast.Tuple, ast.List, ast.BinOp, ast.BitOr, ast.Load)
    return isinstance(value, ast.BinOp | ast.Subscript) and all(isinstance(each, parts) for each in ast.walk(value))


def places_of(path: str, source: str) -> Iterator[Place]:
    """Yield the places of a file."""
    counts: Counter[str] = Counter()
    for node, skipped in _nodes(get_ast(source)):
        for name, operator in _of_node(node.type, node.value if node.type == "operator" else ""):
            for begin, _ in operator.mutation_positions(node):
                if not skipped:
                    yield Place(path, name, counts[name], *begin)
                counts[name] += 1


def _is_marker(line: str, column: int) -> bool:
    """Whether this is the `*` or `/` between parameters, which cosmic-ray takes for an operator."""
    before, after = line[:column].rstrip(), line[column + 1 :].lstrip()
    return line[column : column + 1] in {"*", "/"} and before[-1:] in {"", "(", ","} and after[:1] in {",", ")", ""}


def mutated(place: Place, source: str) -> Mutant | None:
    """Apply a mutation; None where the result is the same program, or none."""
    if _is_marker(source.splitlines()[place.line - 1], place.column):
        return None
    after = MutationVisitor.mutate_code(source, operators()[place.operator], place.occurrence)
    try:
        with warnings.catch_warnings(action="ignore"):
            same = after is None or ast.dump(ast.parse(after)) == ast.dump(ast.parse(source))
            compile(after or "", place.path, "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        return None
    return None if same or after is None else Mutant(place, source, after)


def drawn(
    root: Path, paths: Iterable[str], *, seed: int, count: int, say: Callable[[str], None], operator: str = ""
) -> list[Mutant]:
    """Draw mutants evenly from all places of the files; the same seed and files give the same mutants."""
    sources = {path: (root / path).read_text("utf-8") for path in sorted(paths)}
    places = [one for path, text in sources.items() for one in places_of(path, text) if operator in one.operator]
    say(f"{len(places)} places in {len(sources)} files")
    random.Random(seed).shuffle(places)  # noqa: S311  # not for secrets
    found: list[Mutant] = []
    for place in places:
        if len(found) == count:
            break
        mutant = mutated(place, sources[place.path])
        if mutant is not None:
            found.append(mutant)
    return found
