"""Make the reference of Python modules from their source: signatures, fields and docstrings, as Markdown."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import docstring_parser

Definition = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef | ast.Assign | ast.AnnAssign
Function = ast.FunctionDef | ast.AsyncFunctionDef
MAX_LINE = 80
"""The length of parameters that stand in one line."""


@dataclass(frozen=True)
class Found:
    """Where a public name is defined; `about` is the docstring after an assignment."""

    module: str
    node: Definition
    about: str = ""
    overloads: tuple[Function, ...] = ()


@cache
def _body(module: str) -> list[ast.stmt]:
    spec = find_spec(module)
    if spec is None or spec.origin is None:
        raise LookupError(module)
    return ast.parse(Path(spec.origin).read_text("utf-8")).body


def public_names(module: str) -> list[str]:
    """`__all__`; of a module without it, the classes and functions that it defines, without leading underscores."""
    for node in _body(module):
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            return [str(name) for name in ast.literal_eval(node.value)]
    kinds = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    return [node.name for node in _body(module) if isinstance(node, kinds) and not node.name.startswith("_")]


def find(module: str, name: str) -> Found:
    """The definition of a name of a module, through its imports."""
    overloads: list[Function] = []
    for node, after in _pairs(_body(module)):
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() if node.name == name and _is_overload(node):
                overloads.append(node)
            case ast.ClassDef() | ast.FunctionDef() | ast.AsyncFunctionDef() if node.name == name:
                return Found(module, node, overloads=tuple(overloads))
            case ast.Assign(targets=[ast.Name(id=target)]) | ast.AnnAssign(target=ast.Name(id=target)) if (
                target == name
            ):
                return Found(module, node, _docstring(after))
            case ast.ImportFrom(module=str(source), names=names):
                for alias in names:
                    if name == (alias.asname or alias.name):
                        return _imported(module, source, alias.name)
            case _:
                pass
    raise LookupError(f"{module}.{name}")


def _imported(module: str, source: str, name: str) -> Found:
    """What finclaw defines in another module; what a library defines is a name for it."""
    if source.startswith("finclaw_cli"):
        return find(source, name)
    return Found(module, ast.Assign(targets=[ast.Name(id=name)], value=ast.Name(id=f"{source}.{name}"), lineno=0))


def _pairs(body: list[ast.stmt]) -> Iterator[tuple[ast.stmt, ast.stmt | None]]:
    return zip(body, [*body[1:], None], strict=True)


def _docstring(node: ast.stmt | None) -> str:
    match node:
        case ast.Expr(value=ast.Constant(value=str(text))):
            return text
        case _:
            return ""


def _is_overload(node: Function) -> bool:
    return any(ast.unparse(mark) == "overload" for mark in node.decorator_list)


def module_reference(module: str, heading: str = "##") -> list[str]:
    """Each public name of a module."""
    text = ast.get_docstring(ast.Module(_body(module), [])) or ""
    lines = [f"{heading} `{module}`", "", *_prose(text)]
    for name in public_names(module):
        lines += [f"{heading}# {name}", "", *_described(name, find(module, name))]
    return lines


def _described(name: str, found: Found) -> list[str]:
    match found.node:
        case ast.ClassDef() as node:
            return [*_prose(ast.get_docstring(node) or ""), *_fields(found.module, node), *_methods(name, node)]
        case ast.FunctionDef() | ast.AsyncFunctionDef() as node:
            return _function(node, found.overloads)
        case node:
            value = ast.unparse(node.value) if node.value is not None else ""
            return [*_prose(found.about), f"`{name} = {value}`", ""]


def class_fields(module: str, name: str) -> list[str]:
    """The fields of a class, as a table."""
    node = find(module, name).node
    return _fields(module, node) if isinstance(node, ast.ClassDef) else []


def _fields(module: str, node: ast.ClassDef) -> list[str]:
    rows = list(_rows(module, node))
    return ["| field | type | default | what |", "|---|---|---|---|", *rows, ""] if rows else []


def _rows(module: str, node: ast.ClassDef) -> Iterator[str]:
    for base in node.bases:
        if isinstance(base, ast.Name) and (inherited := _base(module, base.id)):
            yield from _rows(*inherited)
    for field, after in _pairs(node.body):
        match field:
            case ast.AnnAssign(target=ast.Name(id=name), annotation=kind, value=value) if not name.startswith("_"):
                if "ClassVar" not in ast.unparse(kind):
                    default = f"`{_code(ast.unparse(value))}`" if value is not None else ""
                    yield f"| `{name}` | `{_code(ast.unparse(kind))}` | {default} | {_cell(_docstring(after))} |"
            case _:
                pass


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", r"\|")


def _base(module: str, name: str) -> tuple[str, ast.ClassDef] | None:
    try:
        found = find(module, name)
    except LookupError:
        return None
    return (found.module, found.node) if isinstance(found.node, ast.ClassDef) else None


def _code(text: str) -> str:
    return text.replace("|", r"\|").replace("'", '"')


def _methods(name: str, node: ast.ClassDef) -> list[str]:
    lines = []
    for method in node.body:
        if isinstance(method, Function) and _is_shown(method) and not _is_overload(method):
            title = name if method.name == "__init__" else f"{name}.{method.name}"
            lines += [f"#### {title}{'' if _is_property(method) else '()'}", "", *_function(method)]
    return lines


def _is_shown(method: Function) -> bool:
    if method.name == "__init__":
        return ast.get_docstring(method) is not None
    return not method.name.startswith("_")


def _is_property(method: Function) -> bool:
    return any(ast.unparse(mark) == "property" for mark in method.decorator_list)


def _function(node: Function, overloads: tuple[Function, ...] = ()) -> list[str]:
    """The signatures and the docstring."""
    prose = _prose(ast.get_docstring(node) or "")
    if _is_property(node):
        return prose
    return ["```text", *(line for one in overloads or (node,) for line in _signature(one)), "```", "", *prose]


def _signature(node: Function) -> list[str]:
    prefix = "async def" if isinstance(node, ast.AsyncFunctionDef) else "def"
    marks = [f"@{mark}" for mark in map(ast.unparse, node.decorator_list) if mark != "overload"]
    returns = f" -> {ast.unparse(node.returns)}" if node.returns is not None else ""
    parameters = ast.unparse(node.args)
    if len(parameters) > MAX_LINE:
        parameters = _one_a_line(node.args)
    return [*marks, f"{prefix} {node.name}({parameters}){returns}"]


def _one_a_line(arguments: ast.arguments) -> str:
    """The parameters, one a line."""
    text, depth, parts = ast.unparse(arguments), 0, [""]
    for letter in text:
        depth += (letter in "[({") - (letter in "])}")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return "\n" + "".join(f"    {part.strip()},\n" for part in parts)


def _prose(text: str) -> list[str]:
    """A docstring as Markdown: its description, then what it names of parameters, results and errors."""
    parsed = docstring_parser.parse(text, docstring_parser.DocstringStyle.GOOGLE)
    lines = [*(parsed.description or "").splitlines(), ""] if parsed.description else []
    items = [f"- `{part.arg_name}`: {_line(part.description)}" for part in parsed.params]
    if parsed.returns is not None:
        items.append(f"- Returns: {_line(parsed.returns.description)}")
    items += [f"- Raises `{part.type_name}`: {_line(part.description)}" for part in parsed.raises]
    return [*lines, *items, ""] if items else lines


def _line(text: str | None) -> str:
    return " ".join((text or "").split())
