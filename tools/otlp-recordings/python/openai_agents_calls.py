"""Agents of the OpenAI Agents SDK, for the instrumentations of it."""

import asyncio

from agents import (
    Agent,
    GuardrailFunctionOutput,
    InputGuardrailTripwireTriggered,
    Runner,
    function_tool,
    input_guardrail,
    trace,
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


def agent_as_tool():
    expert = helper("expert").as_tool(tool_name="lookup_expert", tool_description="Asks an expert.")
    Runner.run_sync(helper(tools=[expert]), "Q TOOL outer")


def session():
    from agents import SQLiteSession

    kept = SQLiteSession("1")
    Runner.run_sync(helper(), "Q first", session=kept)
    Runner.run_sync(helper(tools=[lookup]), "Q TOOL second", session=kept)


def one_workflow():
    with trace("support"):
        found = Runner.run_sync(helper("finder"), "Q workflow")
        Runner.run_sync(helper("writer"), f"SECRET rewrite: {found.final_output}")


SCENARIOS = {run.__name__: run for run in (agent, streamed, handed_over, guarded, tripped, agent_as_tool, session, one_workflow)}
