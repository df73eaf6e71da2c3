"""The metrics that words and names of results stand for: `Sharpe ratio`, `max_drawdown.depth`."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from finclaw_cli.core.record import record


class _Metric(NamedTuple):
    words: str
    """The pattern of the words for it, English and Korean."""
    names: str
    """The pattern of its names in results: the last two parts of a path."""
    distinct: bool = True
    """Whether the words stand for nothing else: `high` may be a price or a risk."""


_METRICS = {
    "sharpe": _Metric(r"sharpe|샤프", r"sharpe"),
    "sortino": _Metric(r"sortino|소르티노", r"sortino"),
    "calmar": _Metric(r"calmar|칼마", r"calmar"),
    "volatility": _Metric(r"volatility|volatile|변동성", r"volatility|^vol$|\.vol$"),
    "drawdown": _Metric(r"drawdown|\bMDD\b|낙폭", r"drawdown|depth|\bmdd\b"),
    "var": _Metric(r"(?<![a-z])VaR\b|value[- ]at[- ]risk", r"(?<![a-z])var(?![a-z])"),
    "cvar": _Metric(r"\bCVaR\b|expected shortfall|기대\s?(?:손실|부족)|예상\s?손실", r"cvar|shortfall"),
    "beta": _Metric(r"\bbeta\b|베타", r"\bbeta\b"),
    "correlation": _Metric(r"correlat\w+|상관", r"correlation"),
    "tracking": _Metric(r"tracking error|추적\s?오차", r"tracking_error"),
    "information": _Metric(r"information ratio|정보\s?비율", r"information_ratio"),
    "skew": _Metric(r"\bskew(?:ness)?\b|왜도", r"\bskew"),
    "kurtosis": _Metric(r"kurtosis|첨도", r"kurtosis"),
    "cagr": _Metric(
        r"\bCAGR\b|compound\w*|annual(?:i[sz]ed)? return|(?:a|per) year\b|p\.a\.|annual(?:i[sz]ed|ly)|"
        r"연(?:환산|평균|복리)|연\s(?=\d)",
        r"cagr|annuali[sz]ed|_pa$",
        distinct=False,
    ),
    "best": _Metric(r"best (?:single )?(?:day|month)|하루\s?최고|최고의? 하루|최대 상승", r"best\.", distinct=False),
    "worst": _Metric(r"worst (?:single )?(?:day|month)|하루\s?최(?:저|악)|최대 하락", r"worst\.", distinct=False),
    "return": _Metric(
        r"returns?\b|returned|perform\w+|gain(?:ed|s)?\b|rose|fell|lost|climbed|dropped|up\b|down\b|ahead|"
        r"수익률?|올랐|내렸|상승|하락|성과|대비",
        r"(?<!best\.)(?<!worst\.)(?:total_return|(?<![a-z])return|change_fraction|change_pct|cagr|growth|performance)",
        distinct=False,
    ),
    "revenue": _Metric(
        r"revenues?\b|turnover|\bsales\b|매출(?!총|원가|채권)액?",
        r"(?<![a-z])(?<!cost_of_)(?:revenues?|sales)(?![a-z])|매출액?$",
    ),
    "gross_profit": _Metric(r"gross profit|매출총이익(?!률)", r"gross_profit"),
    "operating_income": _Metric(
        r"operating (?:income|profit|result|loss)|\bEBIT\b|영업(?:이익(?!률)|손실)", r"operating_income|영업이익$"
    ),
    "net_income": _Metric(r"net (?:income|profit|loss)|(?:당기)?순이익(?!률)", r"net_income|순이익$"),
    "gross_margin": _Metric(r"gross margins?|매출총이익률", r"gross_margin"),
    "operating_margin": _Metric(r"operating margins?|영업이익률", r"operating_margin"),
    "net_margin": _Metric(r"net (?:profit )?margins?|순이익률", r"net_margin"),
    "debt_ratio": _Metric(r"부채비율|debt[- ]to[- ]equity|liabilities[- ]to[- ]equity", r"debt_(?:to_equity|ratio)"),
    "free_cash": _Metric(r"free cash flow|\bFCF\b|잉여\s?현금\s?흐름", r"free_cash|\bfcf\b"),
    "position": _Metric(r"worth|market value|평가\s?금?액|value of", r"market_value"),
    "savings": _Metric(r"savings? rate|saved? (?=\d)|저축률", r"savings?_rate"),
    "eps": _Metric(r"\bEPS\b|earnings per share|per (?:diluted |basic )?share|주당\s?순이익", r"\beps"),
    "assets": _Metric(r"\bassets\b|(?<!순)자산", r"\bassets\b", distinct=False),
    "liabilities": _Metric(r"liabilit\w+|부채(?!비율)", r"liabilities", distinct=False),
    "equity": _Metric(r"\bequity\b|자본", r"\bequity\b", distinct=False),
    "cash": _Metric(r"\bcash\b|현금", r"\bcash\b", distinct=False),
    "capex": _Metric(r"\bcapex\b|capital expenditures?|설비\s?투자", r"capex"),
    "operating_cash": _Metric(r"operating cash flow|영업\s?활동?\s?현금\s?흐름", r"operating_cash_flow"),
    "clean": _Metric(r"\bclean\b|순가격", r"\bclean\b"),
    "dirty": _Metric(r"\bdirty\b", r"\bdirty\b"),
    "accrued": _Metric(r"accrued|경과\s?이자", r"accrued"),
    "duration": _Metric(r"duration|듀레이션", r"duration"),
    "total_interest": _Metric(
        r"(?:total |in |of )?interest\b|총\s?이자|이자", r"total_interest|\binterest\b", distinct=False
    ),
    "payment": _Metric(r"payments?\b|instal?lments?|a month|월\s?상환|매[달월]|월\s(?=\d)", r"payment", distinct=False),
    "principal": _Metric(r"principal|원금", r"principal", distinct=False),
    "rate": _Metric(r"\brates?\b|환율|금리|yield\w*|수익률", r"\brates?\b|_rate|rate_|yield|rates_per", distinct=False),
    "close": _Metric(
        r"clos(?:e|es|ed|ing)\b|last|price|종가|주가|현재가|마감", r"\bclose\b|price|last\b|previous", distinct=False
    ),
    "high": _Metric(r"\bhighs?\b|highest|peak|maximum|largest|top|최고|고점|최대", r"\bhigh\b|\bmax", distinct=False),
    "low": _Metric(r"\blows?\b|lowest|trough|minimum|smallest|최저|저점|최소", r"\blow\b|\bmin", distinct=False),
    "volume": _Metric(r"volume|거래량", r"volume"),
    "income": _Metric(r"\bincome\b|earn(?:ed|ings?)\b|수입|소득", r"\bincome\.", distinct=False),
    "spending": _Metric(r"spen[dt]\w*|expens\w+|costs?\b|지출|소비|쓴|썼", r"spending|expenses", distinct=False),
    "weight": _Metric(r"weights?\b|allocation|비중", r"weight", distinct=False),
    "contribution": _Metric(r"contribut\w+|of the VaR|share of|기여|차지", r"share_of|component", distinct=False),
    "effective": _Metric(r"effective", r"effective", distinct=False),
    "rsi": _Metric(r"\bRSI\b", r"\brsi"),
    "count": _Metric(
        r"sessions?\b|trading days|거래일|개월|건\b|purchases|bookings|visits|transactions|trades",
        r"\bn$|n_returns|sessions|count|length",
        distinct=False,
    ),
    "quantity": _Metric(r"shares?\b|quantity|\d\s?주", r"quantit", distinct=False),
}
_WORDS = re.compile("|".join(f"(?P<{name}>{metric.words})" for name, metric in _METRICS.items()), re.IGNORECASE)
_NAMES = {name: re.compile(metric.names, re.IGNORECASE) for name, metric in _METRICS.items()}
DISTINCT = frozenset(name for name, metric in _METRICS.items() if metric.distinct)
# Ratios that are not shown in percent.
_RATIOS = frozenset({"sharpe", "sortino", "calmar", "beta", "information", "skew", "kurtosis", "effective"})


@record
class Mention:
    """A place in a text that names a metric or an entity."""

    start: int
    end: int
    name: str


def metrics_in(text: str) -> list[Mention]:
    """The metrics that a text names, in order."""
    return [Mention(found.start(), found.end(), found.lastgroup or "") for found in _WORDS.finditer(text)]


def metrics_of(path: str) -> frozenset[str]:
    """The metrics of the number at a path; none where its name is unknown."""
    parts = [part for part in path.rpartition(":")[2].split(".") if not part.isdigit()]
    return _of_name(".".join(parts[-2:])) or _of_name(".".join(parts))


def is_ratio(path: str) -> bool:
    """Whether a number is a ratio that is not shown in percent."""
    return bool(metrics_of(path) & _RATIOS)


@lru_cache(maxsize=4096)
def _of_name(name: str) -> frozenset[str]:
    return frozenset(metric for metric, pattern in _NAMES.items() if pattern.search(name))
