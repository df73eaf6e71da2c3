"""Usage objects as the wires send them, each with its price worked out by hand.

The arithmetic beside each is in millionths of a dollar: tokens × USD per million tokens. Anthropic's rates, the tier of
Haiku 5.5 and the cut of Sonnet 5.5's cache reads were compared with what is published; the tests pin the price data's
own rates too, so that an update of it shows here.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

NOW = datetime(2026, 11, 21, tzinfo=UTC)


@dataclass(frozen=True, kw_only=True)
class Priced:
    what: str
    dialect: str
    """Whose reader: `anthropic`, `responses`, `chat`."""
    model: str
    raw: tuple[dict[str, Any], ...]
    """Several where a stream corrects itself."""
    usd: str
    uncached_usd: str
    at: datetime = NOW
    provider: str = ""

    def __str__(self) -> str:
        return self.what


def messages(fresh: int, out: int, read: int = 0, written: tuple[int, int] = (0, 0), **more: Any) -> dict[str, Any]:
    five_minutes, hour = written
    return {
        "input_tokens": fresh,
        "cache_creation_input_tokens": five_minutes + hour,
        "cache_read_input_tokens": read,
        "cache_creation": {"ephemeral_5m_input_tokens": five_minutes, "ephemeral_1h_input_tokens": hour},
        "output_tokens": out,
        "service_tier": "standard",
        "inference_geo": "global",
        **more,
    }


def response(prompt: int, out: int, cached: int = 0, written: int = 0, reasoning: int = 0) -> dict[str, Any]:
    return {
        "input_tokens": prompt,
        "input_tokens_details": {"cached_tokens": cached, "cache_write_tokens": written},
        "output_tokens": out,
        "output_tokens_details": {"reasoning_tokens": reasoning},
        "total_tokens": prompt + out,
    }


def chat(prompt: int, out: int, total: int | None = None, **more: Any) -> dict[str, Any]:
    return {"prompt_tokens": prompt, "completion_tokens": out, "total_tokens": total or prompt + out, **more}


ANTHROPIC = [
    # 1000×3 + 500×15 + 200×0.3 + 100×3.75 = 3000 + 7500 + 60 + 375 = 10935;  1300×3 + 7500 = 11400
    ("the example of the specification", "claude-sonnet-4-5", (messages(1000, 500, 200, (100, 0)),), "0.010935", "0.0114"),
    # 2068×4 + 503×20 = 8272 + 10060 = 18332
    ("no cache", "claude-opus-5-5", (messages(2068, 503),), "0.018332", "0.018332"),
    # 22397×2 + 1212×10 = 44794 + 12120 = 56914: the later count stands for the earlier one, nothing is added
    (
        "input that grew while the stream ran",
        "claude-sonnet-5-5",
        (messages(2068, 4), {"input_tokens": 22397, "output_tokens": 1212, "server_tool_use": {"web_fetch_requests": 1}}),
        "0.056914",
        "0.056914",
    ),
    # 181×1 + 340×5 = 181 + 1700 = 1881: after compaction nothing came from the cache
    (
        "cache reads taken back",
        "claude-haiku-4-5",
        (messages(100, 1, 55096), {"input_tokens": 181, "cache_read_input_tokens": 0, "output_tokens": 340}),
        "0.001881",
        "0.001881",
    ),
    # 12×5 + 8192×10 + 256×25 = 60 + 81920 + 6400 = 88380;  8204×5 + 6400 = 47420
    ("written for an hour", "claude-opus-4-8", (messages(12, 256, 0, (0, 8192)),), "0.08838", "0.04742"),
    # 7×5 + 20480×0.5 + 1024×6.25 + 2048×10 + 999×25 = 35 + 10240 + 6400 + 20480 + 24975 = 62130
    # 23559×5 + 24975 = 117795 + 24975 = 142770
    (
        "written for five minutes and for an hour",
        "claude-opus-4-8",
        (messages(7, 999, 20480, (1024, 2048), output_tokens_details={"thinking_tokens": 640}),),
        "0.06213",
        "0.14277",
    ),
    # 3×2 + 400×2.5 + 600×4 + 10×10 = 6 + 1000 + 2400 + 100 = 3506;  1003×2 + 100 = 2106
    (
        "parts of what was written, and no sum of them",
        "claude-sonnet-5-5",
        ({"input_tokens": 3, "output_tokens": 10, "cache_creation": {"ephemeral_5m_input_tokens": 400, "ephemeral_1h_input_tokens": 600}},),
        "0.003506",
        "0.002106",
    ),
    # 10×5 + 50×10 + 20×25 = 50 + 500 + 500 = 1050;  60×5 + 500 = 800: of 50 written no more than 50 are for an hour
    (
        "a sum of writes corrected below its part",
        "claude-opus-4-8",
        (messages(10, 1, 0, (0, 80)), {"cache_creation_input_tokens": 50, "output_tokens": 20}),
        "0.00105",
        "0.0008",
    ),
    # 41×4 + 16384×0.2 + 1830×20 = 164 + 3276.8 + 36600 = 40040.8: thinking is a part of the output
    # 16425×4 + 36600 = 65700 + 36600 = 102300
    (
        "thinking",
        "claude-opus-5-5",
        (messages(41, 1830, 16384, output_tokens_details={"thinking_tokens": 1502}),),
        "0.0400408",
        "0.1023",
    ),
    # 150000×3 + 49000×0.3 + 1000×3.75 + 100×15 = 450000 + 14700 + 3750 + 1500 = 469950;  200000×3 + 1500 = 601500
    ("200,000 input tokens, the last of the lower tier", "claude-sonnet-4-5", (messages(150000, 100, 49000, (1000, 0)),), "0.46995", "0.6015"),
    # 150001×6 + 49000×0.6 + 1000×7.5 + 100×22.5 = 900006 + 29400 + 7500 + 2250 = 939156;  200001×6 + 2250 = 1202256
    ("one more: all tokens at the upper tier", "claude-sonnet-4-5", (messages(150001, 100, 49000, (1000, 0)),), "0.939156", "1.202256"),
    # 10×6 + 199990×0.6 + 100×7.5 + 200×12 + 50×22.5 = 60 + 119994 + 750 + 2400 + 1125 = 124329
    # 200300×6 + 1125 = 1201800 + 1125 = 1202925
    ("writes for an hour at the upper tier", "claude-sonnet-4-5", (messages(10, 50, 199990, (100, 200)),), "0.124329", "1.202925"),
    # 512×0.1 + 90000×0.01 + 77×0.5 = 51.2 + 900 + 38.5 = 989.7;  90512×0.1 + 38.5 = 9051.2 + 38.5 = 9089.7
    ("below 100,000 tokens", "claude-haiku-5-5", (messages(512, 77, 90000),), "0.0009897", "0.0090897"),
    # 512×0.5 + 100000×0.05 + 77×2.5 = 256 + 5000 + 192.5 = 5448.5;  100512×0.5 + 192.5 = 50448.5: cached tokens count
    ("above 100,000 tokens with those from the cache", "claude-haiku-5-5", (messages(512, 77, 100000),), "0.0054485", "0.0504485"),
    # 404500×4 + 5120×20 = 1618000 + 102400 = 1720400
    (
        "a server's tools that read a lot",
        "claude-opus-5-5",
        (messages(2479, 1), {"input_tokens": 404500, "output_tokens": 5120}),
        "1.7204",
        "1.7204",
    ),
    # 5×1 + 1×0.1 + 1×1.25 + 1×5 = 11.35;  7×1 + 5 = 12
    ("a name with its date, and single tokens", "claude-haiku-4-5-20251001", (messages(5, 1, 1, (1, 0)),), "0.00001135", "0.000012"),
]  # fmt: skip

RESPONSES = [
    # 10×2 + 60×0.1 + 30×2.5 + 20×10 = 20 + 6 + 75 + 200 = 301;  100×2 + 200 = 400
    ("cached and written tokens are a part of the prompt", "gpt-6.1-sol", response(100, 20, 60, 30, 8), "0.000301", "0.0004"),
    # 904×5 + 4096×0.5 + 700×30 = 4520 + 2048 + 21000 = 27568;  5000×5 + 21000 = 46000
    ("reasoning is a part of the output", "gpt-5.5", response(5000, 700, 4096, 0, 512), "0.027568", "0.046"),
    # 2000×5 + 1000×0.5 + 2000×5 + 1×30 = 10000 + 500 + 10000 + 30 = 20530;  25000 + 30 = 25030
    ("writes without a price of their own cost as input", "gpt-5.5", response(5000, 1, 1000, 2000), "0.02053", "0.02503"),
    # 72000×10 + 200000×1 + 1000×50 = 720000 + 200000 + 50000 = 970000;  272000×10 + 50000 = 2770000
    ("272,000 input tokens, the last of the lower tier", "gpt-6-astra", response(272000, 1000, 200000), "0.97", "2.77"),
    # 72001×20 + 200000×2 + 1000×75 = 1440020 + 400000 + 75000 = 1915020;  272001×20 + 75000 = 5515020
    ("one more: all tokens at the upper tier", "gpt-6-astra", response(272001, 1000, 200000), "1.91502", "5.51502"),
    # 30000×2 + 250000×0.1 + 20000×2.5 + 4000×7.5 = 60000 + 25000 + 50000 + 30000 = 165000;  300000×2 + 30000 = 630000
    ("the upper tier with writes", "gpt-6.1-terra", response(300000, 4000, 250000, 20000), "0.165", "0.63"),
    # 500×4 + 1000×0.4 + 500×5 + 100×20 = 2000 + 400 + 2500 + 2000 = 6900;  2000×4 + 2000 = 10000
    ("a price that was cut, after that", "gpt-5.6-sol", response(2000, 100, 1000, 500), "0.0069", "0.01"),
    # 77×0.75 + 256×0.075 + 17×4.5 = 57.75 + 19.2 + 76.5 = 153.45;  333×0.75 + 76.5 = 249.75 + 76.5 = 326.25
    ("a small model", "gpt-5.4-mini", response(333, 17, 256), "0.00015345", "0.00032625"),
    # 1×0.1 + 1×0.5 = 0.6
    ("no details at all", "gpt-6-luna", {"input_tokens": 1, "output_tokens": 1, "input_tokens_details": None}, "0.0000006", "0.0000006"),
    # 176×2 + 1024×0.5 + 900×8 = 352 + 512 + 7200 = 8064;  1200×2 + 7200 = 9600
    ("a reasoning model", "o3", response(1200, 900, 1024, 0, 832), "0.008064", "0.0096"),
]  # fmt: skip

CHAT = [
    # 476×2.5 + 1024×1.25 + 300×10 = 1190 + 1280 + 3000 = 5470;  1500×2.5 + 3000 = 6750
    ("cached tokens", "gpt-4o-2024-08-06", chat(1500, 300, prompt_tokens_details={"cached_tokens": 1024}), "0.00547", "0.00675"),
    # 10×5 + 60×0.5 + 30×5 + 20×30 = 50 + 30 + 150 + 600 = 830;  100×5 + 600 = 1100
    (
        "cached and written tokens",
        "gpt-5.5",
        chat(100, 20, prompt_tokens_details={"cached_tokens": 60, "cache_write_tokens": 30}, completion_tokens_details={"reasoning_tokens": 8}),
        "0.00083",
        "0.0011",
    ),
    # 10×1.25 + 105×10 = 12.5 + 1050 = 1062.5: 115 − 10 came out, whatever the server calls it
    ("thinking that only the total has in it", "gpt-5", chat(10, 5, 115), "0.0010625", "0.0010625"),
    # 60×10 + 40×10 + 10×30 = 600 + 400 + 300 = 1300
    ("cached tokens of a model without a price for them", "gpt-4-turbo", chat(100, 10, prompt_tokens_details={"cached_tokens": 40}), "0.0013", "0.0013"),
    # 1500×0.4 + 500×0.1 + 60×1.6 = 600 + 50 + 96 = 746;  2000×0.4 + 96 = 896
    ("cached tokens at the top", "gpt-4.1-mini", chat(2000, 60, cached_tokens=500), "0.000746", "0.000896"),
]  # fmt: skip

CASES = [
    *(Priced(what=f"anthropic: {what}", dialect="anthropic", model=model, raw=raw, usd=usd, uncached_usd=uncached, provider="anthropic") for what, model, raw, usd, uncached in ANTHROPIC),
    *(Priced(what=f"responses: {what}", dialect="responses", model=model, raw=(raw,), usd=usd, uncached_usd=uncached, provider="openai") for what, model, raw, usd, uncached in RESPONSES),
    *(Priced(what=f"chat: {what}", dialect="chat", model=model, raw=(raw,), usd=usd, uncached_usd=uncached, provider="openai-chat") for what, model, raw, usd, uncached in CHAT),
    # 500×5 + 1000×0.5 + 500×6.25 + 100×30 = 2500 + 500 + 3125 + 3000 = 9125;  2000×5 + 3000 = 13000
    Priced(
        what="responses: the same before its price was cut", dialect="responses", model="gpt-5.6-sol", raw=(response(2000, 100, 1000, 500),),
        usd="0.009125", uncached_usd="0.013", at=datetime(2026, 8, 1, tzinfo=UTC), provider="openai",
    ),
]  # fmt: skip
