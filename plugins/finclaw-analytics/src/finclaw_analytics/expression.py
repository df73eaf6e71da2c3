"""Reading one arithmetic expression: numbers with all their digits, + - * / **, a few functions, given variables."""

from __future__ import annotations

import ast
import inspect
import operator
import re
from collections.abc import Callable, Mapping
from decimal import Decimal
from fractions import Fraction
from importlib import import_module
from typing import Protocol

from finclaw_analytics.numbers import bad_input
from finclaw_analytics.rational import Number, context
from finclaw_cli.sdk.render import quoted

LONGEST = 2_000
_DEEPEST, _MOST_OPEN = 150, 60
_MOST_DIGITS, _MOST_EXPONENT = 100, 300
_NUMBER = re.compile(r"(\d[\d_]*+)?\.?(\d[\d_]*+)?([eE][+-]?\d{1,3})?")
_ALLOWED = re.compile(r"[A-Za-z0-9_+\-*/(),.\s]*")
_OPERATORS: dict[type[ast.AST], Callable[..., Number]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
}
_PARTS = (ast.BinOp, ast.UnaryOp, ast.Call, ast.Name, ast.Constant, ast.Starred)
_READ = "only numbers, names, + - * / **, parentheses and functions are read"


class _Evaluator(Protocol):
    nodes: dict[type[ast.AST], Callable[[ast.AST], object]]

    def eval(self, expr: str, previously_parsed: ast.AST) -> object: ...


def evaluate(expression: str, variables: Mapping[str, Number]) -> Number:
    """The value of an expression.

    Raises:
        ToolError: BAD_INPUT for whatever is not plain arithmetic, is too long or too deep, or has no value.
    """
    parsed = _parsed(expression)
    _check_words(parsed, variables)
    library = import_module("simpleeval")
    whole = library.SimpleEval(operators=_OPERATORS, functions=FUNCTIONS, names=dict(variables))
    try:
        found = _arithmetic(whole, expression).eval(expression, parsed)
    except RecursionError:
        raise bad_input("the expression is nested too deeply") from None
    except (library.InvalidExpression, TypeError, ValueError):
        raise bad_input(f"{quoted(expression)} cannot be evaluated: {_READ}") from None
    if not isinstance(found, Number):
        raise bad_input("the expression has no number as its value")
    return found


def _parsed(expression: str) -> ast.expr:
    if len(expression) > LONGEST:
        raise bad_input(f"the expression has {len(expression)} characters; at most {LONGEST}")
    if not _ALLOWED.fullmatch(expression):
        raise bad_input("only numbers, names, + - * / ** ( ) and commas are read; write 5 % as 0.05 and ^ as **")
    depth = deepest = 0
    for mark in expression:
        depth += (mark == "(") - (mark == ")")
        deepest = max(deepest, depth)
    if deepest > _MOST_OPEN:
        raise bad_input(f"{deepest} parentheses are open at once; at most {_MOST_OPEN}")
    try:
        tree = ast.parse(expression.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise bad_input(f"{quoted(expression)} is not an arithmetic expression") from None
    _check_depth(tree)
    return tree


def _check_depth(tree: ast.expr) -> None:
    level: list[ast.AST] = [tree]
    for _ in range(_DEEPEST):
        level = [child for node in level for child in ast.iter_child_nodes(node)]
        if not level:
            return
    raise bad_input(f"the expression is nested more than {_DEEPEST} deep; use sum(a, b, …) for long sums")


def _check_words(tree: ast.expr, variables: Mapping[str, Number]) -> None:
    """See that all parts of an expression are arithmetic, and that each name means something.

    Raises:
        ToolError: BAD_INPUT, in words of ours.
    """
    called = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            _check_call(node)
        elif isinstance(node, ast.Name) and id(node) not in called:
            _check_name(node.id, variables)
        elif isinstance(node, ast.Tuple):
            raise bad_input("a comma stands only between the arguments of a function: write 1000, not 1,000")
        elif isinstance(node, ast.BinOp | ast.UnaryOp) and type(node.op) not in _OPERATORS:
            raise bad_input(f"an operator in it is not read: {_READ}")
        elif isinstance(node, ast.expr) and not isinstance(node, _PARTS):
            raise bad_input(f"it is not plain arithmetic: {_READ}")


def _check_call(node: ast.Call) -> None:
    if not isinstance(node.func, ast.Name) or node.func.id not in FUNCTIONS:
        name = quoted(node.func.id) if isinstance(node.func, ast.Name) else "what is called"
        raise bad_input(f"{name} is not a function here; there are {', '.join(FUNCTIONS)}; multiply with *")
    if node.keywords or any(isinstance(argument, ast.Starred) for argument in node.args):
        raise bad_input(f"{node.func.id}() takes its numbers one after the other, without names or stars")
    try:
        inspect.signature(FUNCTIONS[node.func.id]).bind(*node.args)
    except TypeError:
        raise bad_input(f"{node.func.id}() does not take {len(node.args)} numbers") from None
    if not node.args:
        raise bad_input(f"{node.func.id}() needs at least one number")


def _check_name(name: str, variables: Mapping[str, Number]) -> None:
    if name in FUNCTIONS:
        raise bad_input(f"{name} is a function and needs its numbers in parentheses")
    if name not in variables:
        raise bad_input(f"{quoted(name)} has no value: give it in variables")


def _arithmetic(evaluator: _Evaluator, expression: str) -> _Evaluator:
    """The library's evaluator with nothing but arithmetic: no attributes, subscripts, strings or comprehensions."""
    source = expression.strip()
    kinds: tuple[type[ast.AST], ...] = (ast.UnaryOp, ast.BinOp, ast.Call, ast.Name)
    kept = {kind: evaluator.nodes[kind] for kind in kinds}
    evaluator.nodes = {**kept, ast.Constant: lambda node: _number(source, node)}
    return evaluator


def _number(source: str, node: ast.AST) -> Number:
    """The number as it is written: Python's own reading of 0.1 is not one tenth."""
    written = ast.get_source_segment(source, node) or ""
    if not _NUMBER.fullmatch(written) or not written.strip("."):
        raise bad_input(f"{quoted(written)} is not a decimal number")
    return number(Decimal(written.replace("_", "")))


def number(value: Decimal) -> Number:
    """An exact number out of a decimal.

    Raises:
        ToolError: BAD_INPUT where it is not finite, or longer or larger than can be reckoned with.
    """
    if not value.is_finite():
        raise bad_input("a number must be finite")
    too_long = len(value.as_tuple().digits) > _MOST_DIGITS
    if too_long or (value and abs(value.adjusted()) > _MOST_EXPONENT):
        raise bad_input(f"a number has more than {_MOST_DIGITS} digits or lies beyond 10^{_MOST_EXPONENT}")
    return Number(Fraction(value))


_NONE = Number(Fraction(0))


def _total(*parts: Number) -> Number:
    total = _NONE
    for part in parts:
        total += part
    return total


def _mean(*parts: Number) -> Number:
    return _total(*parts) / Number(Fraction(len(parts)))


def _smallest(*parts: Number) -> Number:
    return min(parts, key=lambda part: part.value)


def _largest(*parts: Number) -> Number:
    return max(parts, key=lambda part: part.value)


def _absolute(given: Number) -> Number:
    return Number(abs(given.value), given.exact)


def _rounded(given: Number, places: Number = _NONE) -> Number:
    if places.value.denominator != 1 or abs(places.value) > _MOST_DIGITS:
        raise bad_input(f"round(x, places) needs a whole number of places, at most {_MOST_DIGITS}")
    return Number(Fraction(round(given.value, int(places.value))), given.exact)


def _root(given: Number) -> Number:
    if given.value < 0:
        raise bad_input("sqrt of a negative number is not real")
    found = given.approximately(lambda value: context().sqrt(value))
    exact = found.value * found.value == given.value
    return Number(found.value, given.exact and exact)


def _logarithm(given: Number) -> Number:
    if given.value <= 0:
        raise bad_input("ln needs a number above zero")
    return Number(Fraction(0), given.exact) if given.value == 1 else given.approximately(lambda v: context().ln(v))


def _exponential(given: Number) -> Number:
    return given.approximately(lambda value: context().exp(value))


def _change(old: Number, new: Number) -> Number:
    return new / old - Number(Fraction(1))


FUNCTIONS: dict[str, Callable[..., Number]] = {
    "abs": _absolute,
    "change": _change,
    "exp": _exponential,
    "ln": _logarithm,
    "max": _largest,
    "mean": _mean,
    "min": _smallest,
    "round": _rounded,
    "sqrt": _root,
    "sum": _total,
}
