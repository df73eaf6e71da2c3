"""A process whose requests cost all they may: `budget_spender LEDGER SEED REQUESTS LIMIT`.

Writes `ready`, waits for a line, makes its requests with random sizes, and ends at once in the middle of a request where
chance has it. That what is spent and held together exceeds no limit is checked at each reservation, and what is spent
after each request; a breach is its exit code.
"""

from __future__ import annotations

import asyncio
import os
import random
import sys
from decimal import Decimal
from pathlib import Path

from finclaw_cli.catalog.rates import Rates
from finclaw_cli.engine.budget import OverBudget
from finclaw_cli.usage.limits import Limits
from tests.unit.test_budget_properties import Spender, spent_so_far

RATES = Rates(input_usd=Decimal(3), output_usd=Decimal(15), cache_write_usd=Decimal("3.75"))
CRASHED, BREACHED = 9, 3


async def spend(path: Path, seed: int, requests: int, limit: Decimal) -> None:
    chance = random.Random(seed)
    spender = Spender(path, f"run_{seed}", RATES, Limits(daily_usd=limit, monthly_usd=limit * 2))
    try:
        for _ in range(requests):
            sent, answered = chance.randint(1, 9_000), chance.choice((256, 4_000, 16_000, 64_000))
            if chance.random() < 1 / (4 * requests):
                await spender.allowed(sent, answered)
                os._exit(CRASHED)
            await spender.request(sent, answered, chance.randint(0, 20))
            if spent_so_far(path) > limit:
                os._exit(BREACHED)
    except OverBudget:
        pass
    except AssertionError:
        os._exit(BREACHED)
    finally:
        await spender.close()


if __name__ == "__main__":
    os.write(1, b"ready\n")
    sys.stdin.readline()
    asyncio.run(spend(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), Decimal(sys.argv[4])))
