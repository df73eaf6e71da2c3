"""Compute the weights of `finclaw_cli/masking/social_model.txt` from the sets of texts in `tests/masking`.

Run it after a change of the features or of a set, with `pip install -e .[weights]`, and look at the figures of
`tests/masking/test_ssn_set.py`. The result is a file of text: nothing has to be installed to use it.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression

from finclaw_cli.masking.checksums import ssn
from finclaw_cli.masking.json_form import is_json
from finclaw_cli.masking.reading import Reading
from finclaw_cli.masking.social_model import BIAS, features

ROOT = Path(__file__).parents[1]
SETS, WEIGHTS = ROOT / "tests" / "masking", ROOT / "finclaw_cli" / "masking" / "social_model.txt"
NUMBER = re.compile(r"(?<![0-9])(?<![0-9][-.])[0-9]{3}[- .]?[0-9]{2}[- .]?[0-9]{4}(?![0-9])(?![-.][0-9])")
# A feature counts that is in the texts of three templates; the inverse of the strength of regularisation.
TEMPLATES, STRENGTH = 3, 0.3
HEAD = "# Weights of the features of `social_model.py`, in hundredths; computed by `.ci/social_weights.py`."


class Example(NamedTuple):
    """A number in a text: the template that the text is of, the features, whether it is a social security number."""

    template: str
    features: dict[str, float]
    is_social: bool


def examples(path: Path) -> Iterator[Example]:
    """Every number of the form in the texts of a set."""
    is_positive = path.stem.endswith("positive")
    for row in map(json.loads, path.read_text("utf-8").splitlines()):
        text, number = row["text"], row["number"]
        reading = Reading(text, is_json=is_json(text))
        template = f"{path.stem} {row.get('template') or re.sub('[0-9]', '0', text)}"
        for match in NUMBER.finditer(reading.view):
            start, end = match.span()
            is_social = is_positive and text[reading.original(start) : reading.original(end)] == number
            is_unknown = is_positive and not is_social  # it can be that of another person
            if ssn(re.sub("[^0-9]", "", match.group())) and not is_unknown:
                yield Example(template, summed(reading.view, start, end), is_social)


def summed(text: str, start: int, end: int) -> dict[str, float]:
    """The features of a number, each with the sum of its values."""
    total: defaultdict[str, float] = defaultdict(float)
    for name, value in features(text, start, end):
        total[name] += value
    return dict(total)


def weights(every: list[Example]) -> dict[str, float]:
    """The weights of a logistic regression, for which each template counts the same."""
    templates = defaultdict[str, set[str]](set)
    for example in every:
        for name in example.features:
            templates[name].add(example.template)
    usual = {name for name, where in templates.items() if len(where) >= TEMPLATES}
    vectorizer = DictVectorizer()
    matrix = vectorizer.fit_transform(
        [{name: value for name, value in example.features.items() if name in usual} for example in every]
    )
    sizes = Counter(example.template for example in every)
    scale = len(every) / len(sizes)
    model = LogisticRegression(C=STRENGTH, max_iter=2000)
    model.fit(
        matrix,
        [example.is_social for example in every],
        sample_weight=[scale / sizes[example.template] for example in every],
    )
    found = dict(zip(vectorizer.get_feature_names_out(), model.coef_[0], strict=True))
    return {BIAS: model.intercept_[0], **found}


def main() -> None:
    """Write the file of weights."""
    every = [example for path in sorted(SETS.glob("ssn_*.jsonl")) for example in examples(path)]
    hundredths = {name: round(weight * 100) for name, weight in weights(every).items()}
    lines = [f"{name}\t{weight}" for name, weight in sorted(hundredths.items()) if abs(weight) > 1]
    WEIGHTS.write_text("\n".join([HEAD, *lines, ""]), "utf-8")
    print(f"{len(every)} numbers, {len(lines)} weights")


if __name__ == "__main__":
    main()
