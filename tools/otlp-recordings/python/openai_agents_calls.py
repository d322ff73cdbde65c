"""Agents of the OpenAI Agents SDK, for the instrumentations of it."""

import asyncio

from agents import Agent, GuardrailFunctionOutput, Runner, function_tool, input_guardrail
from recorded import HISTORY, OUTPUT


@function_tool
def lookup(word: str) -> str:
    """Looks a word up."""
    return OUTPUT


def helper(name="helper", **options):
    return Agent(name=name, instructions="SECRET prompt", model="fake-model", **options)


def agent():
    Runner.run_sync(helper(tools=[lookup]), [*HISTORY, {"role": "user", "content": "Q TOOL agent"}])


def streamed():
    async def ask():
        async for _ in Runner.run_streamed(helper(tools=[lookup]), "Q streamed").stream_events():
            pass

    asyncio.run(ask())


def handed_over():
    Runner.run_sync(helper(handoffs=[helper("other")]), "Q HANDOFF agent")


def guarded():
    @input_guardrail
    async def check(context, _agent, _given):
        result = await Runner.run(helper("checker"), "Q check", context=context.context)
        return GuardrailFunctionOutput(output_info=result.final_output, tripwire_triggered=False)

    Runner.run_sync(helper(input_guardrails=[check], tools=[lookup]), "Q TOOL guarded")


SCENARIOS = {run.__name__: run for run in (agent, streamed, handed_over, guarded)}
