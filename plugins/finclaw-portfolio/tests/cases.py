"""Trades and prices of the tests and of the oracles, with what they are in other programs."""

from __future__ import annotations

HEAD = "Date,Type,Symbol,Quantity,Price,Fee,Amount,Currency\n"
YEAR = HEAD + (
    "2024-01-02,buy,ACME,10,100,5,,USD\n"
    "2024-03-01,buy,GLOBEX,20,55,2,,USD\n"
    "2024-06-10,split,ACME,2,,,,USD\n"
    "2024-09-02,sell,ACME,5,66,1,,USD\n"
    "2024-09-16,dividend,GLOBEX,,,,12,USD\n"
)
"""Five rows of a year: two purchases, a split of two for one, a sale, a dividend."""

DAYS = ("2024-01-02", "2024-03-01", "2024-06-03", "2024-06-10", "2024-09-02", "2024-12-31")
ACME = list(zip(DAYS, ("100", "110", "120", "62", "66", "70"), ("1", "1", "1", "2", "1", "1"), strict=True))
GLOBEX = list(zip(DAYS, ("50", "55", "54", "54", "57", "60"), ("1",) * 6, strict=True))
"""Date, close as it was traded, and new shares for each old one."""

FLOWS = (
    ("2024-01-02", "-1005"),
    ("2024-03-01", "-1102"),
    ("2024-09-02", "329"),
    ("2024-09-16", "12"),
    ("2024-12-31", "2250"),
)
"""What the year was to its investor: paid in negative; the last is the value of 15 ACME at 70 and 20 GLOBEX at 60."""

LOTS = (
    ("2023-01-10", "buy", "10", "100", "1"),
    ("2023-05-10", "buy", "8", "120", "0.5"),
    ("2023-09-10", "buy", "6", "90", "2"),
    ("2024-02-12", "sell", "14", "130", "3"),
    ("2024-08-12", "sell", "5", "80", "1"),
)
"""Trades of one security: date, side, units, price, fee."""

NAMED = {
    "2024-02-12": (("2023-01-10", "9"), ("2023-09-10", "5")),
    "2024-08-12": (("2023-05-10", "4"), ("2023-01-10", "1")),
}
"""The lots of each sale, and how many units of each, by the method specific."""
