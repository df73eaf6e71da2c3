"""Conversations whose tokens were counted: by o200k_base, OpenAI's tokenizer, once (bpe-openai 0.3, 2026-11-21).

Each is a list of texts and the tokens of each; what a wire puts around them is not in the numbers.
"""

from __future__ import annotations

import json

ENGLISH = [
    (
        "How did the energy sector do this year, and what moved it most? I hold a broad index fund and a small position in "
        "two refiners, so please keep the answer short and tell me which numbers you are sure of."
    ),
    (
        "The sector rose over the first half of the year and gave most of it back after the summer. Three things stand out. "
        "First, refining margins widened in spring when two large plants were closed for maintenance, and they narrowed again "
        "once both were back. Second, the companies that sell gas under long contracts hardly noticed the fall in spot prices. "
        "Third, dividends made up a larger part of the total return than in any of the five years before."
    ),
    "And what would a fall of ten percent in the price of crude oil mean for the refiners?",
    (
        "That depends on why it falls. If it falls because more is produced, refiners buy their input more cheaply, and as long "
        "as demand for petrol and diesel holds, their margins tend to widen for a quarter or two. If it falls because the economy "
        "weakens, demand for their products falls with it, and the cheaper input does not help. I have no figures that would let "
        "me say which of the two is more likely, and I would rather not guess. What I can do is to show you how both shares moved "
        "in the last three falls of that size, with the dates and the source of the prices."
    ),
    "Please do that, and add the index for comparison.",
    (
        "Here it is. In the first of them both shares fell by less than the index; in the second they fell by more, and took "
        "about four months longer to recover; in the third one rose while the other stood still. Three cases are not many, and "
        "they differ in what caused them, so nothing should be read into an average."
    ),
]
KOREAN = [
    "올해 반도체 업종이 어떻게 움직였는지 알려 주세요. 제 계좌에는 지수 펀드와 메모리 회사 두 곳의 주식이 조금 있습니다.",
    (
        "상반기에는 메모리 가격이 오르면서 업종 전체가 지수보다 빠르게 올랐고, 여름 이후에는 재고가 쌓이면서 오른 폭의 절반 가까이를 "
        "내주었습니다. 배당은 작년과 거의 같았습니다. 다만 두 회사의 실적 발표일이 달라서 같은 날의 수익률을 나란히 비교하기는 어렵습니다."
    ),
    "환율이 오르면 수출 비중이 큰 회사에는 유리한가요?",
    (
        "매출이 달러로 잡히고 비용이 원화로 나가는 회사라면 대체로 그렇습니다. 하지만 장비와 소재를 달러로 사 오는 경우에는 이익이 "
        "생각만큼 늘지 않습니다. 정확한 비율은 사업 보고서의 주석에서 확인해야 하며, 지금 가진 자료만으로는 말씀드릴 수 없습니다."
    ),
    "그러면 지난 세 번의 환율 급등 때 두 회사의 주가가 어떻게 움직였는지 날짜와 함께 보여 주세요.",
    (
        "첫 번째 시기에는 두 주식이 모두 지수보다 적게 떨어졌고, 두 번째 시기에는 더 많이 떨어진 뒤 회복에 넉 달이 더 걸렸습니다. 세 번째 "
        "시기에는 한쪽은 오르고 다른 쪽은 제자리에 머물렀습니다. 사례가 세 번뿐이므로 평균을 내어 판단하지 않는 것이 좋습니다."
    ),
]


def prices(symbol: str, first: int, rows: int) -> str:
    """A tool's result: daily bars as JSON."""
    bars = [
        {
            "date": f"2026-{1 + (first + day) // 28 % 12:02}-{1 + (first + day) % 28:02}",
            "open": f"{100 + (day * 37 + first) % 900 / 100:.2f}",
            "high": f"{101 + (day * 53 + first) % 900 / 100:.2f}",
            "low": f"{99 + (day * 29 + first) % 700 / 100:.2f}",
            "close": f"{100 + (day * 41 + first) % 800 / 100:.2f}",
            "volume": 1_000_000 + (day * 7919 + first * 104_729) % 900_000,
        }
        for day in range(rows)
    ]
    return json.dumps({"symbol": symbol, "currency": "USD", "adjustment": "split", "source": "own.csv", "bars": bars})


JSON_HEAVY = [
    "Compare three symbols over the last weeks.",
    prices("ACME", 1, 12),
    prices("GLOBEX", 5, 25),
    prices("INITECH", 9, 25),
    "All three moved sideways.",
    prices("HOOLI", 3, 40),
]
CODE_HEAVY = [
    "What does this function do, and is it right?",
    '''def drawdown(closes):
    """The largest fall from a peak, as a fraction of the peak."""
    peak, worst = closes[0], 0.0
    for close in closes:
        peak = max(peak, close)
        worst = max(worst, (peak - close) / peak)
    return worst
''',
    '''It is right for positive prices. Three things could be better:

```python
from collections.abc import Iterable
from decimal import Decimal


def max_drawdown(closes: Iterable[Decimal]) -> Decimal:
    """The largest fall from a peak, in 0..1.

    Raises:
        ValueError: there are no closes, or one is not positive.
    """
    peak, worst = Decimal(0), Decimal(0)
    for close in closes:
        if close <= 0:
            raise ValueError(f"a price is positive, not {close}")
        peak = max(peak, close)
        worst = max(worst, 1 - close / peak)
    if not peak:
        raise ValueError("no closes")
    return worst
```
''',
    "And with pandas?",
    '''```python
import pandas as pd


def max_drawdown(frame: pd.DataFrame, column: str = "close") -> pd.Series:
    """Per symbol: the largest fall from a peak, with the dates of both."""

    def one(closes: pd.Series) -> pd.Series:
        peaks = closes.cummax()
        falls = 1 - closes / peaks
        bottom = falls.idxmax()
        top = closes.loc[:bottom].idxmax()
        return pd.Series({"drawdown": falls[bottom], "from": top, "to": bottom})

    return frame.sort_values("date").set_index("date").groupby("symbol")[column].apply(one).unstack()


if __name__ == "__main__":
    bars = pd.read_csv("bars.csv", parse_dates=["date"], dtype={"symbol": "category"})
    print(max_drawdown(bars).sort_values("drawdown", ascending=False).head(10).to_string())
```
''',
    "Thanks. Now write a test for the first one that fails if somebody swaps peak and close.",
]

# The tokens of each text.
COUNTED = {
    "english": (ENGLISH, [46, 89, 20, 125, 11, 69]),
    "korean": (KOREAN, [39, 87, 19, 77, 28, 82]),
    "json heavy": (JSON_HEAVY, [8, 643, 1307, 1307, 5, 2072]),
    "code heavy": (CODE_HEAVY, [11, 70, 159, 4, 200, 19]),
}
