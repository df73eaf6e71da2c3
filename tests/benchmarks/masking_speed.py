"""What masking costs, kind text and hostile text alike: `python -m tests.benchmarks.masking_speed`.

Milliseconds a megabyte, and how often `json.loads` of a megabyte fits into that: of the same text where it is JSON, else
of the filings, which are ordinary JSON and are measured in the same run. The bar is 5. Last, the time for four times the
text over that for the text: 4 is linear.
"""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable

from finclaw_cli.masking.checksums import luhn
from finclaw_cli.masking.private import mask_private

SIZE = 1_000_000
ROUNDS = 5
BAR = 5
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


def random_cards(size: int) -> str:
    """Cards that are all different, and nothing else."""
    chance, cards = random.Random(7), []
    for _ in range(size // 20):
        head = f"4{chance.randrange(10**14):014}"
        check = next(last for last in "0123456789" if luhn(head + last))
        cards.append("-".join(f"{head}{check}"[at : at + 4] for at in range(0, 16, 4)))
    return " ".join(cards)


def random_accounts(size: int) -> str:
    """Accounts that are all different, each with its label."""
    chance = random.Random(7)
    return " ".join(f"account {chance.randrange(10**9, 10**10)}" for _ in range(size // 19))


def seconds(work: Callable[[], object]) -> float:
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def report(name: str, make: Callable[[int], str], ordinary: str) -> None:
    text, part = make(SIZE), make(SIZE // 4)
    own = is_json(text)
    yardstick = text if own else ordinary
    # Side by side, since other work on the machine comes and goes.
    rounds = [
        (
            seconds(lambda: mask_private(text)),
            seconds(lambda: json.loads(yardstick)),
            seconds(lambda: mask_private(part)),
        )
        for _ in range(ROUNDS)
    ]
    took, parsed, part_took = (min(column) for column in zip(*rounds, strict=True))
    ratio = (took / len(text)) / (parsed / len(yardstick))
    print(
        f"{name:22} {took / len(text) * 1e9:8.1f} ms/MB {ratio:8.1f} × json.loads of {'itself ' if own else 'filings'}"
        f" {'over' if ratio > BAR else '    '} {took / part_took:6.1f} growth"
    )


def main() -> None:
    ordinary = filings(SIZE)
    for make in (filings, prices, prose, ledger, random_cards, random_accounts):
        report(make.__name__, make, ordinary)
    for name, piece in HOSTILE.items():
        report(name, lambda size, piece=piece: piece * (size // len(piece)), ordinary)  # type: ignore[misc]


if __name__ == "__main__":
    main()
