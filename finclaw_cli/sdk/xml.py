"""XML from others: elements by their local names, with the line each begins in; no document types, nothing external."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from xml.parsers import expat

from finclaw_cli.sdk.render import bounded, quoted
from finclaw_cli.sdk.tabular.problems import BadCell, FileProblem

_DEEPEST = 60
_MOST = 3_000_000
_DECIMAL = re.compile(r"([+-]?)([0-9]{0,15})(?:\.([0-9]{0,40}))?")


@dataclass(slots=True)
class Element:
    """An element without its namespace."""

    name: str
    line: int
    attributes: dict[str, str]
    children: list[Element] = field(default_factory=list)
    pieces: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """Its own text without the blanks around it."""
        return "".join(self.pieces).strip()

    def all(self, *path: str) -> Iterator[Element]:
        """The elements at a path of names below it; `*` is any name."""
        found = [self]
        for name in path:
            found = [child for one in found for child in one.children if name in {child.name, "*"}]
        yield from found

    def first(self, *path: str) -> str:
        """The text of the first element at a path that has one; otherwise empty."""
        return next((one.text for one in self.all(*path) if one.text), "")


class _Builder:
    def __init__(self, take: Callable[[Element], bool] | None) -> None:
        self.take = take
        self.parser = expat.ParserCreate(namespace_separator="\n")
        self.root = Element("", 0, {})
        self.open = [self.root]
        self.count = 0
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.CharacterDataHandler = self.data
        self.parser.StartDoctypeDeclHandler = self.refuse

    def start(self, name: str, attributes: dict[str, str]) -> None:
        self.count += 1
        if len(self.open) > _DEEPEST or self.count > _MOST:
            raise FileProblem("its elements are nested deeper, or are more, than are read here")
        local = {key.rpartition("\n")[2]: value for key, value in attributes.items()}
        element = Element(name.rpartition("\n")[2], self.parser.CurrentLineNumber, local)
        self.open[-1].children.append(element)
        self.open.append(element)

    def end(self, _name: str) -> None:
        element = self.open.pop()
        if self.take is not None and self.take(element):
            self.open[-1].children.pop()

    def data(self, text: str) -> None:
        if not text.isspace():
            self.open[-1].pieces.append(text)

    def refuse(self, *_rest: object) -> None:
        raise FileProblem("it declares a document type or entities of its own; not read")


def read_xml(content: bytes, take: Callable[[Element], bool] | None = None) -> Element:
    """The document as a tree; its root is the only child of what is returned.

    Args:
        content: the document.
        take: called with each element at its end, with all that is in it; where it returns true, the element is not
            kept, so that a long list needs no more memory than one of its entries.

    Raises:
        FileProblem: it is no well-formed XML, has a document type, is nested deeper than 60, or has more than 3,000,000
            elements.
    """
    builder = _Builder(take)
    try:
        builder.parser.Parse(content, True)  # noqa: FBT003 - the parser's own argument
    except expat.ExpatError as error:
        raise FileProblem(f"no well-formed XML: {bounded(str(error), 120)}; is the file cut off?") from None
    except (LookupError, ValueError) as error:
        raise FileProblem(f"its XML cannot be read: {bounded(str(error), 120)}") from None
    return builder.root


def exact(text: str, what: str) -> Decimal:
    """A decimal number as XML writes it.

    Raises:
        BadCell: it is none, or has more than 15 digits before the point or 40 after it.
    """
    found = _DECIMAL.fullmatch(text.strip())
    if found is None or not (found[2] or found[3]):
        raise BadCell(f"{what}: {quoted(text)} is not an amount" if text.strip() else f"no {what}")
    number = Decimal(f"{found[2] or '0'}.{found[3] or ''}".rstrip("."))
    return number.copy_negate() if found[1] == "-" and number else number
