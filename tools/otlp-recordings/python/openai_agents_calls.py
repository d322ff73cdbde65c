"""Agents of the OpenAI Agents SDK, for the instrumentations of it."""

import asyncio

from agents import (
    Agent,
    GuardrailFunctionOutput,
    InputGuardrailTripwireTriggered,
    Runner,
    function_tool,
    input_guardrail,
)
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


def guard(trips, **options):
    @input_guardrail(**options)
    async def check(context, _agent, _given):
        result = await Runner.run(helper("checker"), "Q check", context=context.context)
        return GuardrailFunctionOutput(output_info=result.final_output, tripwire_triggered=trips)

    return check


def guarded():
    Runner.run_sync(helper(input_guardrails=[guard(False)], tools=[lookup]), "Q TOOL guarded")


def tripped():
    try:
        Runner.run_sync(helper(input_guardrails=[guard(True, run_in_parallel=False)]), "Q tripped")
    except InputGuardrailTripwireTriggered:
        pass


SCENARIOS = {run.__name__: run for run in (agent, streamed, handed_over, guarded, tripped)}
