"""The files of the page, which hold no data."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

FOLDER = Path(__file__).parent / "page"
TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
}
INDEX = "index.html"


def page_routes() -> Iterator[Route]:
    """A route for each file that there is: no name of a request leads to the file system."""
    for path in sorted(FOLDER.rglob("*")):
        kind = TYPES.get(path.suffix)
        if kind is not None and path.is_file():
            name = path.relative_to(FOLDER).as_posix()
            yield Route("/" if name == INDEX else f"/assets/{name}", _file(path, kind), methods=["GET"])


def _file(path: Path, kind: str) -> Callable[[Request], Response]:
    def answer(_request: Request) -> Response:
        return Response(path.read_bytes(), headers={"content-type": kind})

    return answer
