"""List the licences of all that finclaw needs, from the metadata of what is installed.

python .ci/licences.py                   finclaw with its extras, and the tools of its development
python .ci/licences.py acme 'acme[x]'    other distributions: each without extras, or one extra of it

A licence that is not known fails, and so does what is not installed. The GPL and its relatives are allowed below the
extras of `SEPARATE` only.
"""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from importlib.metadata import Distribution, PackageNotFoundError, distribution

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

OWN = "finclaw"
DEVELOPMENT = ("finclaw-cli[dev]",)
SEPARATE = {
    "finclaw[beancount]": "programs that are run, never imported",
    "finclaw[cluster]": "the driver psycopg, LGPL, which is imported as it is and can be replaced",
    "finclaw-cli[dev]": "not part of what is installed",
}
PERMISSIVE = {
    *("0BSD", "Apache-2.0", "BSD", "BSD-2-Clause", "BSD-3-Clause", "CC0-1.0", "CNRI-Python", "HPND"),
    *("ISC", "MIT", "MIT-0", "MIT-CMU", "MPL-2.0", "PSF-2.0", "Zlib"),
}
COPYLEFT = re.compile(r"\b[AL]?GPL\b")
# Words of classifiers, of the field License and of the first lines of a file, in the order of the search.
WORDS = {
    r"lesser general public|lgpl": "LGPL",
    r"affero|agpl": "AGPL",
    r"general public|gpl": "GPL",
    r"apache": "Apache-2.0",
    r"mozilla|mpl": "MPL-2.0",
    r"\bmit\b": "MIT",
    r"\bisc\b": "ISC",
    r"python software foundation|psf": "PSF-2.0",
    r"\bbsd\b": "BSD",
}
HEAD = 200
"""Of the characters of a text, those that name the licence."""


def licence_of(found: Distribution) -> str:
    """The licence of a distribution as an SPDX expression; an empty text if it is not known."""
    if expression := found.metadata.get("License-Expression"):
        return expression
    return next((licence for text in _texts(found) for words, licence in WORDS.items() if re.search(words, text)), "")


def _texts(found: Distribution) -> Iterator[str]:
    """What names a licence where there is no expression, the most reliable first."""
    yield from (line.lower() for line in found.metadata.get_all("Classifier") or [] if line.startswith("License ::"))
    yield (found.metadata.get("License") or "")[:HEAD].lower()
    for path in found.files or []:
        if path.parts[0].endswith(".dist-info") and path.name.upper().startswith(("LICENSE", "COPYING")):
            yield path.read_text("utf-8")[:HEAD].lower()


def is_known(expression: str) -> bool:
    """Whether an expression consists of licences that are known here."""
    names = re.sub(r"[()]", " ", expression).split()
    licences = [name for name in names if name not in {"AND", "OR", "WITH"}]
    return bool(licences) and all(name in PERMISSIVE or COPYLEFT.match(name) for name in licences)


def is_copyleft(expression: str) -> bool:
    """Whether the GPL or a relative applies; where there is a choice, whatever is chosen."""
    choices = [expression] if " AND " in expression else expression.split(" OR ")
    return all(COPYLEFT.search(choice) for choice in choices)


def needed(root: str) -> set[str]:
    """The normalised names of what a distribution needs: without extras, or for one extra of it."""
    waiting, seen = [Requirement(root)], set[tuple[str, str]]()
    while waiting:
        requirement = waiting.pop()
        name = canonicalize_name(requirement.name)
        for extra in requirement.extras or {""}:
            if (name, extra) not in seen:
                seen.add((name, extra))
                waiting += _requirements(name, extra)
    return {name for name, _ in seen}


def _requirements(name: str, extra: str) -> Iterator[Requirement]:
    try:
        lines = distribution(name).requires or []
    except PackageNotFoundError:
        return  # named by the table
    for requirement in map(Requirement, lines):
        if requirement.marker is None or requirement.marker.evaluate({"extra": extra}):
            yield requirement


def problem(name: str, licence: str, roots: list[str]) -> str:
    """What is wrong with a licence; an empty text if nothing is."""
    if not is_known(licence):
        return f"{name}: its licence {licence or '(none)'} is not known"
    forbidden = [root for root in roots if root not in SEPARATE]
    if is_copyleft(licence) and forbidden:
        return f"{name}: {licence} is not allowed in {', '.join(forbidden)}"
    return ""


def default_roots() -> list[str]:
    """The application, each of its extras, and the tools of its development."""
    extras = distribution(OWN).metadata.get_all("Provides-Extra") or []
    return [OWN, *(f"{OWN}[{extra}]" for extra in extras), *DEVELOPMENT]


def main() -> int:
    """Print the table, then what is wrong."""
    users: defaultdict[str, list[str]] = defaultdict(list)
    for root in sys.argv[1:] or default_roots():
        for name in needed(root):
            if OWN not in users[name]:  # an extra is named for what it adds
                users[name].append(root)
    problems = []
    for name, roots in sorted(users.items()):
        try:
            found = distribution(name)
        except PackageNotFoundError:
            problems.append(f"{name} is not installed")
            continue
        licence = licence_of(found)
        print(f"{name:28} {found.version:16} {licence:44} {', '.join(roots)}")
        problems.append(problem(name, licence, roots))
    found_problems = [line for line in problems if line]
    print(*found_problems, sep="\n", end="\n" if found_problems else "", file=sys.stderr)
    return 1 if found_problems else 0


if __name__ == "__main__":
    sys.exit(main())
