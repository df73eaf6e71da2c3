"""Large machine-made texts without any private data: a filing's facts as JSON and a price table as CSV."""

from __future__ import annotations

import json
from random import Random

from tests.masking import fill_public as public

CONCEPTS = (
    "AccountsReceivableNetCurrent", "AccountsPayableCurrent", "CreditCardReceivables", "DepositsSavingsDeposits",
    "CashAndDueFromBanks", "Revenues", "NetIncomeLoss", "Assets", "WeightedAverageNumberOfDilutedSharesOutstanding",
    "SocialSecurityTaxes", "InterestAndFeeIncomeCreditCard", "DueToBankCurrent", "AccountsNotesAndLoansReceivable",
)  # fmt: skip


def value(rng: Random) -> int | float:
    """A reported value; now and then one that looks like a card, a routing number or a social security number."""
    makers = (
        lambda: int(public.n(rng, str(rng.randint(1, 15)))),
        lambda: int(public.cardlike(rng)),
        lambda: int(public.abalike(rng)),
        lambda: -int(public.ssnlike(rng)),
        lambda: round(rng.uniform(-5, 40), 2),
    )
    return rng.choices(makers, (80, 8, 4, 4, 4))[0]()


def fact(rng: Random) -> dict[str, object]:
    """One reported fact as the SEC's interface gives it."""
    return {
        "start": public.date(rng), "end": public.date(rng), "val": value(rng), "accn": public.PUBLIC["accession"](rng),
        "fy": rng.randint(2009, 2025), "fp": rng.choice(("FY", "Q1", "Q2", "Q3")), "form": "10-K",
        "filed": public.date(rng), "frame": f"CY{rng.randint(2009, 2025)}Q{rng.randint(1, 4)}I",
    }  # fmt: skip


def company_facts(*, indent: int | None = None, facts: int = 120) -> str:
    """A JSON of a company's facts, some hundred kilobytes."""
    rng = Random("company facts")
    body = {c: {"label": c, "units": {"USD": [fact(rng) for _ in range(facts)]}} for c in CONCEPTS}
    return json.dumps({"cik": 1234567, "entityName": "Northwind Energy", "facts": {"us-gaap": body}}, indent=indent)


def price_table(rows: int = 3500) -> str:
    """A CSV of daily prices, some hundred kilobytes."""
    rng = Random("price table")
    lines = ["Date,Open,High,Low,Close,Adj Close,Volume,Market Cap,Timestamp"]
    for _ in range(rows):
        prices = ",".join(public.dec(rng, "3", str(rng.randint(6, 14))) for _ in range(4))
        volume = rng.choice((public.n(rng, "8"), public.ssnlike(rng), public.abalike(rng), public.n(rng, "10")))
        cap = rng.choice((public.cardlike(rng, "amex"), public.cardlike(rng, "visa"), public.n(rng, "15")))
        lines.append(f"{public.date(rng)},{prices},{public.small(rng, '12')},{volume},{cap},{public.epoch(rng, 'ms')}")
    return "\n".join(lines)
