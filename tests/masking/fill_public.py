"""Seeded makers of what must survive: quantities, prices, dates, public identifiers, and look-alikes of private ones."""

from __future__ import annotations

import string
import uuid
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from random import Random

from tests.masking.checkers import aba_ok, digits_of, luhn_digit, ssn_ok
from tests.masking.fill_private import BASE32, BASE62, card, some

DIGITS = string.digits
HEX = "0123456789abcdef"
BASE58 = "".join(c for c in BASE62 if c not in "0OIl")
NAMES = ("Dana Whitlock", "Marcus Oyelaran", "Priya Raman", "Tomas Lindqvist", "Ellen Brandt", "Hugo Ferreira")
KOREAN_NAMES = ("김하늘", "이도윤", "박서연", "최민재", "정유진", "한지호")
LISTED = ("Northwind Energy", "Acme Robotics", "Blue Harbor Bank", "Contoso Foods", "Fabrikam Steel")
KOREAN_LISTED = ("한빛전자", "새론바이오", "동해조선", "미래금속", "가온소프트")
TICKERS = ("AAPL", "MSFT", "NVDA", "JPM", "XOM", "BRK.B", "KO")


def n(rng: Random, count: str) -> str:
    """A whole number of that many digits."""
    return rng.choice("123456789") + some(rng, DIGITS, int(count) - 1)


def d(rng: Random, count: str) -> str:
    """That many digits, zeros in front allowed."""
    return some(rng, DIGITS, int(count))


def between(rng: Random, low: str, high: str) -> str:
    """A whole number in a range."""
    return str(rng.randint(int(low), int(high)))


def pick(rng: Random, choices: str) -> str:
    """One of the words, comma separated."""
    return rng.choice(choices.split(","))


def cardlike(rng: Random, issuer: str = "") -> str:
    """A quantity that begins like a card and passes the Luhn rule."""
    return digits_of(card(rng, "bare", issuer or rng.choice(("visa", "mc", "amex", "discover", "jcb"))))


def cardlike_grouped(rng: Random, issuer: str = "") -> str:
    """The same with thousand marks."""
    return f"{int(cardlike(rng, issuer)):,}"


def luhn(rng: Random, start: str, count: str) -> str:
    """A number with a given beginning and length that passes the Luhn rule."""
    body = start + some(rng, DIGITS, int(count) - len(start) - 1)
    return body + luhn_digit(body)


def abalike(rng: Random) -> str:
    """A nine-digit quantity that passes the routing number's rule."""
    number = "0"
    while not aba_ok(number):
        number = str(rng.randint(210_000_000, 329_999_999))
    return number


def ssnlike(rng: Random) -> str:
    """A nine-digit quantity that could be a social security number."""
    number = ""
    while not ssn_ok(number):
        number = str(rng.randint(100_000_000, 899_999_999))
    return number


def grp(rng: Random, count: str, mark: str = "comma") -> str:
    """Thousands, grouped by `comma`, `dot`, `space`, `apos` or in the Indian way."""
    number = n(rng, count)
    if mark == "indian":
        head, tail = number[:-3], number[-3:]
        head = head if len(head) % 2 == 0 else f" {head}"
        return ",".join([head[i : i + 2].strip() for i in range(0, len(head), 2)] + [tail])
    return f"{int(number):,}".replace(",", {"comma": ",", "dot": ".", "space": " ", "apos": "'"}[mark])


def dec(rng: Random, whole: str, places: str) -> str:
    """A decimal number."""
    return f"{n(rng, whole)}.{some(rng, DIGITS, int(places))}"


def small(rng: Random, places: str) -> str:
    """A number below ten with many decimals, or a negative one."""
    return f"{rng.choice(('', '', '-'))}{rng.randint(0, 9)}.{some(rng, DIGITS, int(places))}"


def moment(rng: Random) -> datetime:
    """Some moment of the last years."""
    return datetime(2019, 1, 1, tzinfo=UTC) + timedelta(seconds=rng.randrange(200_000_000))


def date(rng: Random, form: str = "%Y-%m-%d") -> str:
    """A moment by strftime; `~` stands for a colon in the form."""
    return moment(rng).strftime(form.replace("~", ":"))


def epoch(rng: Random, unit: str = "s") -> str:
    """Seconds since 1970, or their thousandths, millionths, billionths."""
    more = {"s": 0, "ms": 3, "us": 6, "ns": 9}[unit]
    return str(int(moment(rng).timestamp())) + some(rng, DIGITS, more)


def isin(rng: Random) -> str:
    """An ISIN with its check digit."""
    body = rng.choice(("US", "KR", "DE", "GB", "JP")) + some(rng, DIGITS, 9)
    return body + luhn_digit("".join(str(int(c, 36)) for c in body))


def lei(rng: Random) -> str:
    """A legal entity identifier with its check digits."""
    body = some(rng, DIGITS, 4) + "00" + some(rng, string.ascii_uppercase + DIGITS, 12)
    return f"{body}{98 - int(''.join(str(int(c, 36)) for c in body + '00')) % 97:02d}"


def corp_reg(rng: Random) -> str:
    """A Korean company's registration number (public): 110111-…, with its check digit."""
    body = rng.choice(("110111", "130111", "120111", "180111")) + rng.choice("0123") + some(rng, DIGITS, 5)
    total = sum(int(c) * (1 + i % 2) for i, c in enumerate(body))
    return f"{body[:6]}-{body[6:]}{-total % 10}"


def ean(rng: Random, start: str = "978") -> str:
    """A 13-digit bar code with its check digit."""
    body = start + some(rng, DIGITS, 12 - len(start))
    return f"{body}{-sum(int(c) * (1 + 2 * (i % 2)) for i, c in enumerate(body)) % 10}"


def hangul_money(rng: Random) -> str:
    """A Korean amount in 조 / 억 / 만."""
    return rng.choice((
        f"{rng.randint(1, 499)}조 {rng.randint(1, 9999):,}억원",
        f"{rng.randint(1, 9999):,}억 {rng.randint(1, 9999):,}만원",
        f"{rng.randint(1, 9999)}만 {rng.randint(1000, 9999)}원",
    ))  # fmt: skip


def ip(rng: Random) -> str:
    """An address of the private network 10.x.x.x."""
    return ".".join(("10", *(str(rng.randint(0, 255)) for _ in range(3))))


def mac(rng: Random) -> str:
    """A network card's address."""
    return ":".join(some(rng, HEX, 2) for _ in range(6))


PUBLIC: dict[str, Callable[..., str]] = {
    f.__name__: f
    for f in (
        n, d, between, pick, cardlike, cardlike_grouped, luhn, abalike, ssnlike, grp, dec, small, date, epoch, isin,
        lei, corp_reg, ean, hangul_money, ip, mac,
    )
} | {
    "tab": lambda _: "\t",
    "pct": lambda r: f"{r.uniform(-40, 90):.2f}%",
    "sci": lambda r: f"{r.uniform(1, 9.99):.{r.randint(2, 9)}f}{r.choice(('e+', 'E+', 'e', 'e-'))}{r.randint(2, 18)}",
    "cik": lambda r: f"000{n(r, '7')}",
    "accession": lambda r: f"000{n(r, '7')}-{r.randint(10, 25)}-{d(r, '6')}",
    "cusip": lambda r: f"{d(r, '6')}{some(r, string.ascii_uppercase, 1)}{d(r, '2')}",
    "sedol": lambda r: f"B{some(r, 'BCDFGHJKLMNPQRSTVWXYZ0123456789', 5)}{d(r, '1')}",
    "figi": lambda r: f"BBG00{some(r, 'BCDFGHJKLMNPQRSTVWXZ0123456789', 6)}{d(r, '1')}",
    "bic": lambda r: f"{some(r, string.ascii_uppercase, 4)}{r.choice(('DE', 'US', 'KR', 'GB'))}{r.choice(('FF', '33', 'SE', '2L'))}",
    "krcode": lambda r: f"{d(r, '5')}0",
    "uuid": lambda r: str(uuid.UUID(int=r.getrandbits(128), version=4)),
    "hexa": lambda r, count: some(r, HEX, int(count)),
    "b32": lambda r, count: some(r, BASE32, int(count)),
    "b64": lambda r, count: some(r, BASE62 + "+/", int(count)),
    "b58": lambda r, count: some(r, BASE58, int(count)),
    "phone": lambda r: f"{r.choice(('+1 212-555-01', '(415) 555-01', '1-800-555-01', '646.555.01'))}{d(r, '2')}",
    "krphone": lambda r: f"{r.choice(('010-0000-', '+82-10-0000-', '02-000-', '+82 2 000 '))}{d(r, '4')}",
    "biz_reg": lambda r: f"{n(r, '3')}-{r.choice(('81', '86', '85'))}-{d(r, '5')}",
    "lat": lambda r: f"{r.uniform(-89, 89):.6f}",
    "lon": lambda r: f"{r.uniform(-179, 179):.{r.choice((4, 7, 12))}f}",
    "name": lambda r: r.choice(NAMES),
    "kname": lambda r: r.choice(KOREAN_NAMES),
    "firm": lambda r: r.choice(LISTED),
    "kfirm": lambda r: r.choice(KOREAN_LISTED),
    "tick": lambda r: r.choice(TICKERS),
    "cmoney": lambda r: f"{r.randint(1, 99)},{r.randint(0, 999):03d}.{r.randint(0, 99):02d}",
}  # fmt: skip
