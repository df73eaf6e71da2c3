"""From a typed Python function to a tool: its schema, its strict validation, its handler."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Iterator
from functools import partial
from types import FunctionType
from typing import cast, get_args, get_type_hints

from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model
from pydantic.errors import PydanticUserError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails, InitErrorDetails, PydanticCustomError

from finclaw_cli.core.errors import UsageError
from finclaw_cli.core.json_text import ExactObject, JsonObject, canonical, jsonable, plain
from finclaw_cli.core.tool import ToolContext, ToolDefinition, ToolHandler
from finclaw_cli.tools.companions import check_preview, check_reconcile
from finclaw_cli.tools.decimals import Place, misread, takes_decimal
from finclaw_cli.tools.declare import ToolAt, ToolOptions, options_of
from finclaw_cli.tools.processes.threads import in_thread
from finclaw_cli.tools.terse import terse

MAX_SHOWN_INPUT = 80


def define_all(offered: object) -> Iterator[ToolDefinition]:
    """Every tool in what a plugin offered: a definition, a marked function, its place, an object with marked methods.

    Raises:
        UsageError: the object is none of these, or a function cannot be made a tool.
    """
    if isinstance(offered, ToolDefinition):
        yield offered
    elif isinstance(offered, ToolAt):
        yield from define_all(offered.load())
    elif (options := options_of(offered)) is not None and callable(offered):
        yield define(offered, options)
    else:
        methods = [method for method in _methods(offered) if options_of(method) is not None]
        if not methods:
            raise UsageError(f"{offered!r} is not a tool: decorate it with @tool, or give a ToolDefinition")
        for method in sorted(methods, key=_line):
            yield from define_all(method)


def _methods(offered: object) -> Iterator[object]:
    """The methods of an object, without touching its properties: those may raise, or connect to something."""
    for name, member in inspect.getmembers_static(offered):
        if isinstance(member, FunctionType | staticmethod | classmethod):
            yield getattr(offered, name)


def define(function: Callable[..., object], options: ToolOptions) -> ToolDefinition:
    """Build the tool that a marked function describes.

    Raises:
        UsageError: an unannotated parameter, `*args`, a type that has no JSON Schema.
    """
    where = f"{function.__module__}:{function.__qualname__}"
    description, documented = _documentation(function)
    context_names, model = _input_model(function, documented, where)
    names = [str(field.alias) for field in model.model_fields.values()]
    if options.preview is not None:
        check_preview(options.preview, names, where)
    if options.reconcile is not None:
        check_reconcile(options.reconcile, where)
    return ToolDefinition(
        name=options.name or function.__name__,
        description=description,
        input_schema=_schema(model, where),
        group=options.group,
        requires_approval=options.requires_approval,
        transactional=options.transactional,
        sensitive=options.sensitive,
        external=options.external,
        read_only=options.read_only,
        idempotent=options.idempotent,
        serial=options.serial,
        timeout_s=options.timeout,
        handler=partial(_call, function, model, context_names),
        validate=partial(_problems, model),
        reconcile=options.reconcile,
        reconcile_after_s=options.reconcile_after,
        preview=_preview(options.preview, model) if options.preview is not None else None,
        needs=options.needs,
        examples=tuple(cast("JsonObject", jsonable(example)) for example in options.examples),
        declared_by=where,
    )


def _preview(preview: Callable[..., object], model: type[BaseModel]) -> ToolHandler:
    names = tuple(name for name, hint in get_type_hints(preview).items() if hint is ToolContext)
    return partial(_call, preview, model, names)


def _line(method: object) -> int:
    code = getattr(method, "__code__", None)
    return cast("int", code.co_firstlineno) if code is not None else 0


def _documentation(function: Callable[..., object]) -> tuple[str, dict[str, str]]:
    from docstring_parser import parse

    parsed = parse(inspect.getdoc(function) or "")
    parts = (parsed.short_description, parsed.long_description)
    return "\n\n".join(part for part in parts if part), {p.arg_name: p.description or "" for p in parsed.params}


def _input_model(
    function: Callable[..., object], documented: dict[str, str], where: str
) -> tuple[tuple[str, ...], type[BaseModel]]:
    try:
        hints = get_type_hints(function, include_extras=True)
    except NameError as error:
        raise UsageError(f"tool {where}: {error}", hint="Annotate with names importable at module level.") from error
    context_names: list[str] = []
    fields: dict[str, tuple[object, FieldInfo]] = {}
    for name, parameter in inspect.signature(function).parameters.items():
        if hints.get(name) is ToolContext or ToolContext in get_args(hints.get(name)):  # also `ToolContext | None`
            context_names.append(name)
            continue
        if name not in hints or parameter.kind not in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY):
            raise UsageError(f"tool {where}: parameter {name!r} needs a type, and a name to pass it by")
        default = ... if parameter.default is parameter.empty else parameter.default
        # By an alias, because a parameter may have a name that a model keeps for itself: `copy`, `schema`, `_x`.
        described = Field(default, alias=name, description=documented.get(name) or None)
        fields[f"p{len(fields)}"] = (hints[name], described)
    config = ConfigDict(extra="forbid", strict=True, arbitrary_types_allowed=False)
    try:
        model: type[BaseModel] = create_model("Input", __config__=config, **fields)  # type: ignore[call-overload]
    except PydanticUserError as error:
        raise UsageError(f"tool {where}: {error.message.splitlines()[0]}") from error
    return tuple(context_names), model


def _schema(model: type[BaseModel], where: str) -> JsonObject:
    try:
        schema = model.model_json_schema()
    except PydanticUserError as error:
        raise UsageError(f"tool {where}: {error.message.splitlines()[0]}") from error
    schema.setdefault("properties", {})
    return terse(cast("JsonObject", jsonable(schema)))


def _validated(model: type[BaseModel], arguments: ExactObject) -> BaseModel:
    """Validate strictly, as JSON, where dates and decimals have their usual text forms.

    The validator reads a JSON number as a float before it makes a Decimal of it, so for parameters that take Decimals
    the digits a float cannot hold go in as text.
    """
    exact = {field.alias: field.annotation for field in model.model_fields.values() if takes_decimal(field.annotation)}
    wrong = [found for name in arguments if name in exact for found in misread(exact[name], arguments[name], (name,))]
    if wrong:
        raise ValidationError.from_exception_data("Input", [_no_number(*each) for each in wrong])
    given = {name: plain(value) if name in exact else value for name, value in arguments.items()}
    return model.model_validate_json(canonical(given))


def _no_number(place: Place, text: str) -> InitErrorDetails:
    error = PydanticCustomError("plain_number", "Input should be a number in the digits 0 to 9")
    return InitErrorDetails(type=error, loc=place, input=text)


def _problems(model: type[BaseModel], arguments: ExactObject) -> list[str]:
    try:
        _validated(model, arguments)
    except ValidationError as error:
        return [_problem(model, item) for item in error.errors(include_url=False)]
    return []


def _problem(model: type[BaseModel], item: ErrorDetails) -> str:
    where = ".".join(str(part) for part in item["loc"]) or "input"
    if item["type"] != "missing":
        return f"{where}: {item['msg']}; got {_shown(item['input'])}"
    described = {field.alias: field.description for field in model.model_fields.values()}.get(where)
    meaning = f" ({' '.join(described.split())})" if described else ""
    return f"{where}: required, but missing{meaning}; got {_shown(item['input'])}"


def _shown(value: object) -> str:
    text = canonical(jsonable(value))
    return text if len(text) <= MAX_SHOWN_INPUT else text[:MAX_SHOWN_INPUT] + "…"


async def _call(
    function: Callable[..., object],
    model: type[BaseModel],
    context_names: tuple[str, ...],
    arguments: ExactObject,
    context: ToolContext,
) -> object:
    given = _validated(model, arguments)
    named = {str(field.alias): getattr(given, key) for key, field in model.model_fields.items()}
    named |= dict.fromkeys(context_names, context)
    if inspect.iscoroutinefunction(function):
        return await cast("Awaitable[object]", function(**named))
    return await in_thread(partial(function, **named))
