"""Seeded makers of private pieces; every number is invented and keeps the public rules of its kind."""

from __future__ import annotations

import string
from collections.abc import Callable
from datetime import date, timedelta
from random import Random

from tests.masking.checkers import aba_ok, iban_remainder, luhn_digit, rrn_digit, ssn_ok

BASE62 = string.ascii_letters + string.digits
BASE64URL = BASE62 + "-_"
BASE32 = string.ascii_uppercase + "234567"
CARD_STARTS = {
    "visa": (("4",), 16),
    "mc": (("51", "52", "53", "54", "55", "2223", "2400", "2700"), 16),
    "amex": (("34", "37"), 15),
    "discover": (("6011", "65", "645"), 16),
    "jcb": (("3528", "3540", "3588"), 16),
    "diners": (("36", "38"), 14),
    "unionpay": (("622126", "6225", "6258"), 16),
    "korea": (("9490", "9409", "9445"), 16),
}
BBANS = {  # n: a digit, a: a letter, c: either
    "DE": "n18", "GB": "a4n14", "FR": "n10c11n2", "IT": "a1n10c12", "NL": "a4n10", "CH": "n5c12", "AT": "n16",
    "SE": "n20", "NO": "n11", "DK": "n14", "FI": "n14", "PL": "n24", "PT": "n21", "IE": "a4n14", "LU": "n3c13",
    "CZ": "n20", "TR": "n6c16", "SA": "n2c18", "AE": "n19", "BE": "", "ES": "",
}  # fmt: skip
ACCOUNT_SHAPES = {
    "kb": "######-04-######", "shinhan": "110-###-######", "woori": "1002-###-######", "hana": "###-910###-#####",
    "nh": "301-####-####-##", "kakao": "3333-0#-#######", "toss": "1000-####-####", "ibk": "###-######-01-0##",
    "us8": "########", "us9": "#########", "us10": "##########", "us12": "############", "us11": "###########",
    "kr12": "############", "kr14": "##############", "ibkr": "U#######", "fid": "Z##-######", "schwab": "####-####",
    "dashed": "####-####-####", "spaced": "#### #### ####", "kis": "########-01", "sec10": "###-##-######", "zeros": "000#########",
}  # fmt: skip


def some(rng: Random, alphabet: str, count: int) -> str:
    """`count` letters of an alphabet."""
    return "".join(rng.choice(alphabet) for _ in range(count))


def card(rng: Random, style: str = "any", issuer: str = "") -> str:
    """A card number: `bare`, `space` or `dash`, of one issuer or any of the main ones."""
    starts, length = CARD_STARTS[issuer or rng.choice(list(CARD_STARTS)[:7])]
    start = rng.choice(starts)
    body = start + some(rng, string.digits, length - len(start) - 1)
    number = body + luhn_digit(body)
    cuts = (4, 8, 12, 16) if length == 16 else (4, 10, length)
    style = rng.choice(("bare", "space", "dash")) if style == "any" else style
    parts = [number[a:b] for a, b in zip((0, *cuts), cuts, strict=False)]
    return {"bare": "", "space": " ", "dash": "-"}[style].join(parts)


def ssn(rng: Random, style: str = "dash") -> str:
    """A social security number: `dash`, `space` or `bare`; it never begins with a zero."""
    number = ""
    while not ssn_ok(number):
        number = str(rng.randint(100_000_000, 899_999_999))
    return {"dash": "-", "space": " ", "bare": ""}[style].join((number[:3], number[3:5], number[5:]))


def rrn(rng: Random, style: str = "dash", whose: str = "any") -> str:
    """A Korean registration number: `old` (check digit), `new` (random since 2020), `foreign`, or any."""
    whose = rng.choice(("old", "old", "new", "foreign")) if whose == "any" else whose
    first, last = (date(2020, 11, 1), date(2025, 6, 30)) if whose == "new" else (date(1950, 1, 1), date(2006, 12, 31))
    born = first + timedelta(days=rng.randrange((last - first).days))
    sexes = ("78" if born.year >= 2000 else "56") if whose == "foreign" else ("34" if born.year >= 2000 else "12")
    body = born.strftime("%y%m%d") + rng.choice(sexes) + some(rng, string.digits, 5)
    end = rng.choice(string.digits) if whose == "new" else rrn_digit(body)
    return body[:6] + {"dash": "-", "bare": "", "space": " ", "wide": " - "}[style] + body[6:] + end


def bban(rng: Random, country: str) -> str:
    """The national part of an IBAN; Belgium, Spain and Norway carry check digits of their own."""
    if country == "BE":
        body = some(rng, string.digits, 10)
        return f"{body}{int(body) % 97 or 97:02d}"
    if country == "ES":
        bank, number = some(rng, string.digits, 8), some(rng, string.digits, 10)
        weights = (1, 2, 4, 8, 5, 10, 9, 7, 3, 6)
        sums = [11 - sum(int(c) * w for c, w in zip(x, weights, strict=True)) % 11 for x in ("00" + bank, number)]
        return bank + "".join({10: "1", 11: "0"}.get(s, str(s)) for s in sums) + number
    while country == "NO":
        body = some(rng, string.digits, 10)
        rest = sum(int(c) * w for c, w in zip(body, (5, 4, 3, 2, 7, 6, 5, 4, 3, 2), strict=True)) % 11
        if rest != 1:
            return f"{body}{-rest % 11}"
    shape, out = BBANS[country], ""
    for token in shape.replace("n", " n").replace("a", " a").replace("c", " c").split():
        alphabet = {"n": string.digits, "a": string.ascii_uppercase, "c": string.digits}[token[0]]
        out += some(rng, alphabet, int(token[1:]))
    return out


def iban(rng: Random, style: str = "any", country: str = "") -> str:
    """An IBAN with right check digits: `space` (groups of four) or `bare`."""
    country = country or rng.choice(list(BBANS))
    national = bban(rng, country)
    number = f"{country}{98 - iban_remainder(country + '00' + national):02d}{national}"
    style = rng.choice(("space", "bare")) if style == "any" else style
    return " ".join(number[i : i + 4] for i in range(0, len(number), 4)) if style == "space" else number


def aba(rng: Random) -> str:
    """A routing number of a Federal Reserve district, with a right check digit."""
    number = "0"
    while not aba_ok(number):
        number = rng.choice(("02", "03", "06", "07", "11", "12", "26", "32")) + some(rng, string.digits, 7)
    return number


def account(rng: Random, shape: str = "us10") -> str:
    """An account number in one of the usual shapes; it begins with no zero unless its shape says so."""
    marks = [rng.choice("123456789") if c == "#" and i == 0 else c for i, c in enumerate(ACCOUNT_SHAPES[shape])]
    return "".join(rng.choice(string.digits) if c == "#" else c for c in marks)


def api_key(rng: Random, maker: str = "any") -> str:
    """A provider's key by its prefix."""
    makers: dict[str, Callable[[], str]] = {
        "anthropic": lambda: f"sk-ant-api03-{some(rng, BASE64URL, 86)}{some(rng, BASE62, 7)}AA",
        "openai": lambda: f"sk-proj-{some(rng, BASE62, 64)}",
        "github": lambda: f"ghp_{some(rng, BASE62, 36)}",
        "aws": lambda: f"AKIA{some(rng, BASE32, 16)}",
        "google": lambda: f"AIza{some(rng, BASE64URL, 34)}{some(rng, BASE62, 1)}",
        "stripe": lambda: f"sk_live_{some(rng, BASE62, 24)}",
        "gitlab": lambda: f"glpat-{some(rng, BASE62, 20)}",
        "hf": lambda: f"hf_{some(rng, string.ascii_letters, 34)}",
        "plain": lambda: some(rng, BASE62, 32),
        "hex": lambda: some(rng, "0123456789abcdef", 40),
    }
    return makers[rng.choice(list(makers)[:5]) if maker == "any" else maker]()


def token(rng: Random, maker: str = "slack") -> str:
    """A bearer token: Slack's, a JSON web token, or plain letters."""
    if maker == "slack":
        return f"xoxb-{some(rng, '123456789', 12)}-{some(rng, '123456789', 13)}-{some(rng, BASE62, 24)}"
    if maker == "pat":
        return f"github_pat_{some(rng, BASE62, 22)}_{some(rng, BASE62, 59)}"
    if maker == "jwt":
        head = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9"
        return f"{head}.eyJzdWIiOi{some(rng, BASE62, 60)}.{some(rng, BASE62, 43)}"
    return some(rng, BASE62, 40)


def password(rng: Random) -> str:
    """A password as people choose them."""
    words = ("Harbor", "violet", "Cobalt", "sparrow", "Maple", "Quartz", "onion", "Fjord")
    return f"{rng.choice(words)}{rng.choice('!#%+=')}{rng.choice(words)}{rng.randint(10, 9999)}"


def private_key(rng: Random, style: str = "lines", algorithm: str = "RSA ") -> str:
    """A PEM block, over lines or with the line ends escaped as JSON does; what it holds is random letters."""
    rows = [some(rng, BASE62 + "+/", 64) for _ in range(6)] + [some(rng, BASE62, 30) + "=="]
    name = "" if algorithm == "pkcs8" else algorithm
    block = (f"-----BEGIN {name}PRIVATE KEY-----", *rows, f"-----END {name}PRIVATE KEY-----")
    return ("\\n" if style == "escaped" else "\n").join(block)


PRIVATE = {
    f.__name__: f for f in (card, ssn, rrn, iban, aba, account, api_key, token, password, private_key)
}  # fmt: skip
