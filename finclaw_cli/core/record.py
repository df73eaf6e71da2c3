"""Frozen dataclasses that cost little until they are used.

`dataclasses.dataclass` writes and compiles six functions for each class when its module is imported, which for the two
hundred classes of a run takes longer than the run. A record has its `__init__` compiled when the first one is made and
shares all other methods. It is a dataclass to `fields`, `replace`, `asdict`, to pydantic and to type checkers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, Field, FrozenInstanceError, dataclass, field, fields
from functools import cache
from operator import attrgetter
from reprlib import recursive_repr
from typing import Any, NoReturn, TypeVar, dataclass_transform, overload

T = TypeVar("T")


@overload
def record(cls: type[T], /) -> type[T]: ...
@overload
def record(*, kw_only: bool = ...) -> Callable[[type[T]], type[T]]: ...
@dataclass_transform(frozen_default=True, field_specifiers=(Field, field))
def record(cls: type[Any] | None = None, /, *, kw_only: bool = False) -> Any:
    """Make a class a frozen dataclass with slots; what it defines itself, it keeps."""
    if cls is None:
        return lambda decorated: _made(decorated, kw_only=kw_only)
    return _made(cls, kw_only=kw_only)


def _made(cls: type[Any], *, kw_only: bool) -> type[Any]:
    own = set(vars(cls))
    # Where there is no text, `dataclass` writes one, and starts Python's own tokenizer for it.
    cls.__doc__ = cls.__doc__ or cls.__name__
    made = dataclass(init=False, repr=False, eq=False, slots=True, kw_only=kw_only)(cls)
    made.__init__ = _first_init(made)
    for name, method in _SHARED.items():
        if name not in own:
            setattr(made, name, method)
    return made


def _first_init(cls: type[Any]) -> Callable[..., None]:
    def init(self: Any, *args: Any, **kwargs: Any) -> None:
        cls.__init__ = _compiled_init(cls)
        cls.__init__(self, *args, **kwargs)

    return init


def _compiled_init(cls: type[Any]) -> Callable[..., None]:
    """The `__init__` of a class, its arguments in the order of its fields, those by name only last."""
    names: dict[str, Any] = {"MISSING": MISSING}
    by_place: list[str] = []
    by_name: list[str] = []
    body: list[str] = []
    for item in fields(cls):
        parameter, statement = _assigned(item, names)
        names[f"set_{item.name}"] = getattr(cls, item.name).__set__
        body.append(statement)
        if item.init:
            (by_name if item.kw_only else by_place).append(parameter)
    if hasattr(cls, "__post_init__"):
        body.append("self.__post_init__()")
    arguments = ", ".join(["self", *by_place, *(["*", *by_name] if by_name else [])])
    exec(f"def __init__({arguments}):\n " + "\n ".join(body or ["pass"]), names)  # noqa: S102 - as dataclasses do
    made: Callable[..., None] = names["__init__"]
    made.__qualname__ = f"{cls.__qualname__}.__init__"
    return made


def _assigned(item: Field[Any], names: dict[str, Any]) -> tuple[str, str]:
    """A field as a parameter and as the statement that sets it; what both refer to goes into `names`."""
    name = item.name
    if item.default_factory is not MISSING:
        names[f"make_{name}"] = item.default_factory
        value = f"make_{name}() if {name} is MISSING else {name}" if item.init else f"make_{name}()"
        return f"{name}=MISSING", f"set_{name}(self, {value})"
    if item.default is not MISSING:
        names[f"default_{name}"] = item.default
        return f"{name}=default_{name}", f"set_{name}(self, {name if item.init else f'default_{name}'})"
    return name, f"set_{name}(self, {name})"


@cache
def _compared(cls: Any) -> Callable[[Any], Any]:
    """Gives what of an instance is compared and hashed."""
    names = [item.name for item in fields(cls) if item.compare]
    return attrgetter(*names) if names else lambda _: ()


def _eq(self: Any, other: object) -> Any:
    compared = _compared(self.__class__)
    if other.__class__ is not self.__class__:
        return NotImplemented
    return compared(self) == compared(other)


def _hash(self: Any) -> int:
    return hash(_compared(self.__class__)(self))


@recursive_repr()
def _repr(self: Any) -> str:
    shown = ", ".join(f"{item.name}={getattr(self, item.name)!r}" for item in fields(self) if item.repr)
    return f"{self.__class__.__qualname__}({shown})"


def _setattr(self: Any, name: str, value: object) -> NoReturn:  # noqa: ARG001 - the method's own arguments
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _delattr(self: Any, name: str) -> NoReturn:  # noqa: ARG001
    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _getstate(self: Any) -> list[Any]:
    return [getattr(self, item.name) for item in fields(self)]


def _setstate(self: Any, state: list[Any]) -> None:
    for item, value in zip(fields(self), state, strict=True):
        object.__setattr__(self, item.name, value)


_SHARED: dict[str, Callable[..., Any]] = {
    "__eq__": _eq,
    "__hash__": _hash,
    "__repr__": _repr,
    "__setattr__": _setattr,
    "__delattr__": _delattr,
    "__getstate__": _getstate,
    "__setstate__": _setstate,
}
