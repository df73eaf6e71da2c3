"""Frozen dataclasses that cost little until they are used.

`dataclasses.dataclass` looks at each field in several ways, and writes and compiles six functions for each class when
its module is imported, which for the two hundred classes of a run takes longer than the run. Of a record, `__init__` is
compiled when the first one is made, the fields are looked at when they are asked for, and all else is shared. It is
a dataclass to `fields`, `replace`, `asdict`, to pydantic and to type checkers.
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
    plan = _Plan(cls, kw_only=kw_only)
    made = _class(cls, {**_SHARED, **plan.namespace()})
    plan.of = made
    type.__setattr__(made, "__init__", _first_init(made, plan))
    return made


_OF_EACH = ("__module__", "__orig_bases__")
"""Where a class is from, and the parameters of a generic one."""


class _Plan:
    """What was written down of a class: its own fields, with a default, a `field(…)`, or `MISSING`."""

    def __init__(self, cls: type[Any], *, kw_only: bool) -> None:
        self.of = cls
        self.kw_only = kw_only
        kinds = cls.__annotations__
        self._names: dict[str, Any] = {
            **{name: value for name, value in vars(cls).items() if name in _OF_EACH},
            "__qualname__": cls.__qualname__,
            "__annotations__": kinds,
        }
        self._declared = {name: value for name, value in vars(cls).items() if name not in ("__dict__", "__weakref__")}
        self.own: dict[str, Any] = {name: self._declared.pop(name, MISSING) for name in kinds}

    def namespace(self) -> dict[str, Any]:
        """The class with a slot for each field."""
        late = {name: _Late(self, name) for name in ("__dataclass_fields__", "__dataclass_params__")}
        return {
            **self._declared,
            **self._names,
            **late,
            "__slots__": tuple(self.own),
            "__match_args__": self._by_place(),
            "_plan": self,
        }

    def parts(self) -> dict[str, tuple[Any, bool]]:
        """All fields, those of the bases first: each with its default, and whether it is keyword-only."""
        parts: dict[str, tuple[Any, bool]] = {}
        for base in reversed(self.of.__mro__):
            if plan := vars(base).get("_plan"):
                parts.update({name: (given, _by_name(given, plan.kw_only)) for name, given in plan.own.items()})
        return parts

    def complete(self) -> None:
        """Have `dataclass` look at the fields, of a class that is alike but for its slots."""
        given = {name: value for name, value in self.own.items() if value is not MISSING}
        # Without a text `dataclass` would write one, and start Python's own tokenizer for it.
        alike = _class(self.of, {**self._names, **given, "__doc__": self.of.__name__})
        probed = dataclass(init=False, repr=False, eq=False, kw_only=self.kw_only)(alike)
        for name in ("__dataclass_fields__", "__dataclass_params__"):
            type.__setattr__(self.of, name, getattr(probed, name))

    def _by_place(self) -> tuple[str, ...]:
        inherited = (name for base in self.of.__mro__[1:] for name in vars(base).get("__match_args__", ()))
        own = (name for name, given in self.own.items() if not _by_name(given, self.kw_only) and _is_given(given))
        return tuple(dict.fromkeys((*inherited, *own)))


class _Late:
    """An attribute of a class that is found out when it is asked for."""

    def __init__(self, plan: _Plan, name: str) -> None:
        self._plan = plan
        self._name = name

    def __get__(self, instance: object, owner: type[Any]) -> Any:
        self._plan.complete()
        return getattr(self._plan.of, self._name)


def _class(like: type[Any], namespace: dict[str, Any]) -> type[Any]:
    """A class with the name, the bases and the metaclass of another."""
    kind: Any = type(like)
    made: type[Any] = kind(like.__name__, like.__bases__, namespace)
    return made


def _by_name(given: Any, kw_only: bool) -> bool:  # noqa: FBT001 - a fact, as `dataclass` has it
    return bool(given.kw_only) if isinstance(given, Field) and given.kw_only is not MISSING else kw_only


def _is_given(given: Any) -> bool:
    """Whether it is an argument of `__init__`."""
    return not isinstance(given, Field) or given.init


def _first_init(cls: type[Any], plan: _Plan) -> Callable[..., None]:
    def init(self: Any, *args: Any, **kwargs: Any) -> None:
        type.__setattr__(cls, "__init__", _compiled_init(cls, plan))
        cls.__init__(self, *args, **kwargs)

    return init


def _compiled_init(cls: type[Any], plan: _Plan) -> Callable[..., None]:
    """The `__init__` of a class, its arguments in the order of its fields, those by name only last."""
    names: dict[str, Any] = {"MISSING": MISSING}
    by_place: list[str] = []
    by_name: list[str] = []
    body: list[str] = []
    for name, (given, is_by_name) in plan.parts().items():
        parameter, statement = _assigned(name, given, names)
        names[f"set_{name}"] = getattr(cls, name).__set__
        body.append(statement)
        if _is_given(given):
            (by_name if is_by_name else by_place).append(parameter)
    if hasattr(cls, "__post_init__"):
        body.append("self.__post_init__()")
    arguments = ", ".join(["self", *by_place, *(["*", *by_name] if by_name else [])])
    exec(f"def __init__({arguments}):\n " + "\n ".join(body or ["pass"]), names)  # noqa: S102 - as dataclasses do
    made: Callable[..., None] = names["__init__"]
    made.__qualname__ = f"{cls.__qualname__}.__init__"
    return made


def _assigned(name: str, given: Any, names: dict[str, Any]) -> tuple[str, str]:
    """A field as a parameter and as the statement that sets it; what both refer to goes into `names`."""
    default, make = (given.default, given.default_factory) if isinstance(given, Field) else (given, MISSING)
    if make is not MISSING:
        names[f"make_{name}"] = make
        value = f"make_{name}() if {name} is MISSING else {name}" if _is_given(given) else f"make_{name}()"
        return f"{name}=MISSING", f"set_{name}(self, {value})"
    if default is not MISSING:
        names[f"default_{name}"] = default
        return f"{name}=default_{name}", f"set_{name}(self, {name if _is_given(given) else f'default_{name}'})"
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
