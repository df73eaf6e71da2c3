"""What masking costs, kind text and hostile text alike: `python -m tests.benchmarks.masking_speed`.

Milliseconds a megabyte, the ratio to `json.loads` of the same text (as a JSON string where it is not JSON itself), and
the time for four times the text over that for the text: 4 is linear.
"""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable

from finclaw_cli.masking.private import mask_private

SIZE = 1_000_000
ROUNDS = 3
HOSTILE = {
    "digits": "1",
    "spaces": " ",
    "groups of four": "4111 ",
    "cards with dashes": "4111-1111-1111-1111 ",
    "bare cards": "4111111111111111 ",
    "beginnings of keys": "sk-ant-",
    "beginnings of PEM": "-----BEGIN PRIVATE KEY-----",
    "beginnings of JSON": '"a":"',
    "beginnings of IBANs": "IBAN DE",
    "IBANs that are none": "DE89 3704 0044 0532 0130 01 ",
    "labels": "account ",
    "Korean labels": "계좌 ",
    "labels with numbers": "account 1234567890 ",
    "quotes": '"',
    "private keys": '"ssn":"219-09-9999",',
    "nested numbers": '{"number":"12345678"},',
    "headers": "account,card\n",
    "passwords": "password=",
    "escapes": "\\u0041",
    "brackets": "[",
    "lines": "\n",
}


def filings(size: int) -> str:
    chance = random.Random(7)
    facts = []
    while sum(map(len, facts)) < size:
        filed = {"start": "2023-01-01", "end": "2023-12-31", "val": chance.randrange(10**12), "fy": 2023, "fp": "FY"}
        filed["accn"] = f"{chance.randrange(10**10):010}-23-{chance.randrange(10**6):06}"
        facts.append(json.dumps(filed))
    return f'{{"AccountsPayableCurrent": {{"label": "Accounts Payable", "units": {{"USD": [{", ".join(facts)}]}}}}}}'


def prices(size: int) -> str:
    chance = random.Random(7)
    rows = ["date,open,close,adjusted,volume"]
    while len(rows) * 52 < size:
        rows.append(
            f"2024-01-02,{chance.random() * 100:.2f},{chance.random() * 100:.2f},{chance.random()},{chance.randrange(10**9)}"
        )
    return "\n".join(rows)


def prose(size: int) -> str:
    words = [
        "the",
        "company",
        "reported",
        "revenue",
        "of",
        "391,035",
        "million",
        "in",
        "2024",
        "and",
        "accounts",
        "receivable",
        "fell",
        "while",
        "card",
        "fees",
        "rose",
    ]
    chance = random.Random(7)
    return " ".join(chance.choice(words) for _ in range(size // 6))


def ledger(size: int) -> str:
    chance = random.Random(7)
    rows = [
        {"id": i, "account_number": str(chance.randrange(10**10)), "balance": chance.random()}
        for i in range(size // 75)
    ]
    return json.dumps(rows)


def seconds(work: Callable[[], object]) -> float:
    taken = []
    for _ in range(ROUNDS):
        begun = time.perf_counter()
        work()
        taken.append(time.perf_counter() - begun)
    return min(taken)


def parsed(text: str) -> float:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        text = json.dumps(text)
    return seconds(lambda: json.loads(text))


def report(name: str, make: Callable[[int], str]) -> None:
    text, part = make(SIZE), make(SIZE // 4)
    took, part_took = seconds(lambda: mask_private(text)), seconds(lambda: mask_private(part))
    megabytes = len(text) / 1_000_000
    print(
        f"{name:22} {took * 1000 / megabytes:8.1f} ms/MB {took / parsed(text):8.1f} × json.loads {took / part_took:6.1f} growth"
    )


def main() -> None:
    for make in (filings, prices, prose, ledger):
        report(make.__name__, make)
    for name, piece in HOSTILE.items():
        report(name, lambda size, piece=piece: piece * (size // len(piece)))  # type: ignore[misc]


if __name__ == "__main__":
    main()
