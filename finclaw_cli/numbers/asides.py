"""Numbers that are no figures and are ignored: of dates, names, commands, list items."""

from __future__ import annotations

import re

_MONTH = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|"
    r"Nov(?:ember)?|Dec(?:ember)?)"
)
_YEAR = r"(?:19|20)\d\d"
_ORDINAL = r"(?:st|nd|rd|th)?"
_INDEX = (
    r"S&P(?:/\w+)?|Nasdaq|Russell|KOSPI|KOSDAQ|코스피|코스닥|KRX|FTSE|Nikkei|닛케이|Topix|Dow(?: Jones)?|"
    r"(?:Euro )?Stoxx|CSI|나스닥|다우|러셀|니케이|유로스톡스|항셍|"
    r"CAC|DAX|SMI|IBEX|ASX|MSCI \w+|Wilshire|Fortune|Hang Seng|"
    r"HSCEI|Micex|TSX|AEX|OMX\w*|Sensex|Nifty"
)
_AMOUNT = "%|원|달러|주\\b|배|bps|USD|KRW|EUR|shares|dollars|won|million|billion|points|퍼센트|[천만억조]"
_CODES = "USD|EUR|KRW|JPY|GBP|CHF|CNY"
_INDEX_SIZES = "30|35|40|50|60|100|125|150|200|225|250|300|350|400|500|600|1000|2000|3000|5000"
_WINDOWS = "5|7|10|12|14|20|21|26|30|50|52|60|63|90|100|120|126|180|200|250|252|360|365"
_WINDOWED = (
    "s?ma|ema|rsi|moving|average|high|low|range|rolling|volatility|simple|exponential|year|basis|count|convention|"
    "trailing|annuali[sz]ation|window|treasury|bill"
)
_NUMBERED = (
    r"Items?|Notes?|Steps?|Pages?|Tables?|Figures?|Charts?|Chapters?|Sections?|Articles?|Parts?|Rules?|Appendix|Exhibits?|"
    r"Tier|Phase|Form|Schedule|ASC|ASU|IFRS|IAS|SFAS|Basel|No\.|#|№|Scenario|Question|Covid-|ISO|CIK|"
    r"Accession(?: number)?|Commission File(?: Number)?"
)
_PATTERNS = (
    # Commands, addresses, and names with digits in them
    r"`finclaw [^`\n]*`",
    r"https?://\S+",
    r"\S{1,64}@\S{1,255}\.\w+",
    r"\b\d{10}-\d{2}-\d{6}\b",
    r"(?<![\w.])\d+\.(?:KS|KQ|T|HK|TW|TWO|SS|SZ|SR|KL|BK)\b",
    # Dates and times
    rf"\b{_YEAR}-\d{{1,2}}(?:-\d{{1,2}})?(?:[T ]\d{{2}}:\d{{2}}\S*)?(?!\d)",
    rf"\b{_YEAR}[/.]\s?\d{{1,2}}[/.]\s?\d{{1,2}}\.?(?!\d)",
    rf"\b{_YEAR}[/.]\d{{1,2}}(?![\d,])",
    r"\b\d{1,2}/\d{1,2}/(?:\d{4}|\d{2})(?!\d)",
    r"\b\d{1,2}\.\d{1,2}\.(?:\d{4}|\d{2})(?!\d)",
    rf"\b{_MONTH}\.?\s+\d{{1,2}}{_ORDINAL}(?:\s?[–-]\s?\d{{1,2}}{_ORDINAL})?(?:,?\s+{_YEAR})?\b",
    rf"\b\d{{1,2}}{_ORDINAL}\s+(?:of\s+)?{_MONTH}\.?(?:,?\s+{_YEAR})?\b",
    rf"\b{_MONTH}\.?,?\s+(?:of\s+)?{_YEAR}\b",
    rf"(?:{_YEAR}|['’]?\d\d)\s?년\s?\d{{1,2}}\s?월(?:\s?\d{{1,2}}\s?일)?",
    rf"{_YEAR}\s?년도?",
    r"(?<![\d.])\d{1,2}\s?월(?:\s?\d{1,2}\s?일)?(?!\s?간)",
    r"(?<![\d.,])\d{1,2}\s?일(?!\s?(?:간|동안|연속|치|째|[\w가-힣 ]*평균))",
    r"(?:오전|오후)?\s?\d{1,2}\s?시(?:\s?\d{1,2}\s?분)?(?![\w가-힣])",
    r"\b\d{1,2}:\d{2}(?::\d{2})?(?:\s?[ap]\.?m\b\.?)?",
    r"\b\d{1,2}\s?[ap]\.?m\b",
    rf"\bQ[1-4](?:\s?(?:of\s+)?(?:FY\s?)?['’]?(?:{_YEAR}|\d\d))?\b",
    rf"\b[1-4]Q(?:\s?['’]?(?:{_YEAR}|\d\d))?E?\b",
    rf"\b{_YEAR}\s?(?:Q[1-4]|H[12])\b",
    rf"\b(?:FY|CY)\s?['’]?(?:{_YEAR}|\d\d)(?:[/–-]\d\d)?E?\b",
    r"\bH[12](?:\s?['’]?\d{2,4})?\b",
    r"\b[12]H(?:\s?['’]?\d{2,4})\b",
    r"[1-4]\s?분기",
    r"제\s?\d+\s?(?:조|항|호|장|기|회|차)",
    rf"(?<![\w.,$€£¥₩]){_YEAR}(?:\s?[/–-]\s?(?:{_YEAR}|\d\d))?(?:s\b)?(?!\d|[.,]\d|\s?(?:{_AMOUNT}))",
    r"(?<!\w)['’]\d\d(?!\d)",
    # Documents, indices, products
    r"\b(?:10-[KQ](?:T|SB)?|8-K|6-K|20-F|40-F|11-K|13[FDG](?:-HR)?|S-\d{1,2}|F-\d|424B\d|DEF 14A|Form [345])(?:/A)?\b",
    r"\b10b5?-\d{1,2}(?:-1)?\b",
    rf"(?i:(?<!\w)(?:{_NUMBERED})[ -]?\(?\d{{1,3}}(?:[A-Za-z]\d*)?(?:-\d+)*\)?(?!\d|[.,]\d|\s?%))",
    r"(?i:(?<!\w)items?[ -]?\d{1,2}\.\d\d(?!\d))",
    rf"(?i:(?<!\w)(?:{_INDEX})[ -]?(?:{_INDEX_SIZES})(?!\d|[.,]\d))",
    r"\b401\(?k\)?",
    r"\b(?:24/7|50/50)\b",
    r"\b(?:RSI|SMA|EMA|ATR|MACD|VaR|WMA|MA|ROC|ADX|CVaR|TWAP)\s?\(\s?\d+(?:\s?,\s?\d+)*\s?\)",
    # Numbers of list items, and references to sources
    r"(?m:^[ \t>]*(?:[-*•]\s+)?(?:\*\*|#+\s)?\(?\d{1,2}[.)](?=\s|\*))",
    r"(?<=[ (])\((?:\d|1\d)\)(?=\s?[A-Za-z가-힣])",
    r"\[\^?[A-Za-z]?\d{1,3}(?:\s?[,–-]\s?[A-Za-z]?\d{1,3})*\]",
    r"[\u00b9\u00b2\u00b3\u2070-\u2079]+",
    r"\b\d{1,3}(?:st|nd|rd|th)\b(?!\s+percentile)",
    r"(?<!\d)\d{1,4}\s?(?:번째|위(?=[와의는가로에인및,]|부터|까지|이며|입니다|[^가-힣\d]|$)|차례)",
    # The windows in the names of indicators and periods
    rf"(?i:\b(?:{_WINDOWS})[ -](?:day|week|month|session|period|trading[ -]day)s?(?=[ -](?:{_WINDOWED})))",
    r"\b(?:52|12|24)-(?:week|month)\b",
    r"(?i:\b(?:trailing|last|past|previous|next)[ -](?:twelve|12)[ -]months?\b)",
    r"최근\s?12\s?개월|지난\s?12\s?개월",
    r"\b\d{1,2}s\d{1,2}s\b|\b24[ -]?h(?:ours?|r)?\b|24\s?시간",
    # Idioms, which need no source: the last three years
    r"(?i:\b(?:past|last|previous|next|coming|recent)\s(?:\d|10)\s(?:years?|months?|weeks?|days?)\b)",
    r"(?:최근|지난|향후|앞으로)\s?(?:\d|10)\s?(?:년|개월|주|일)(?:간|새)?|(?<![\d.,])\d\s?년(?:\s?새|\s?전)|(?<![\d.,])1\s?년간?",
    r"(?<!\d)\d{1,2}\s?[~∼–-]\s?\d{1,2}\s?[월일]",
    # One of a unit, which a rate is given for
    rf"(?<![\d.,])1\s?(?:달러|유로|엔|위안|파운드|원|{_CODES})\s?(?:=|당|은|는|에)",
    r"(?i:\bper\s1\s?(?:%|percent|point|vol|share))|(?<![\d.,])1\s?%p?\s?(?:당|마다|포인트당)",
    r"\b52\s?주(?=\s?(?:최고|최저|신고|신저|고가|저가))",
    r"(?<!\d)\d{1,3}\s?일\s?(?:선|(?:단순\s?|지수\s?)?이동\s?평균선?)",
    r"(?i:\b(?:1|2|3|5|7|10|20|30)-year\b(?! (?:period|span|stretch|low|high)))",
    r"임상\s?\d상",
    r"(?:국고채|국채)\s?\d{1,2}\s?년물?|\d{1,2}\s?년\s?만기",
    r"√\s?\d+",
)
# ASCII, so that a word ends where Korean begins: 10-Q에.
_FIRST = re.compile(r"[\d\u00b9\u00b2\u00b3\u2070-\u2079`]")
"""A line without any of these has no aside."""
ASIDE = re.compile("|".join(f"(?:{pattern})" for pattern in _PATTERNS), re.ASCII)


def asides(text: str) -> list[tuple[int, int]]:
    """The spans of a text whose numbers are no figures, in order."""
    found, at = [], 0
    for line in text.splitlines(keepends=True):
        if _FIRST.search(line):
            found += [(at + match.start(), at + match.end()) for match in ASIDE.finditer(line)]
        at += len(line)
    return found
