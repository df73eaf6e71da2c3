"""Ask one question, and print the answer and what it took."""

from finclaw_cli import Agent

agent = Agent(model="demo")
result = agent.run_sync("How did ACME do this year?")
print(result.text)
print(f"{result.turns} turns, {sum(result.tool_calls.values())} tool calls, {result.cost_usd} USD")
