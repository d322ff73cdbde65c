"""Agents of the OpenAI Agents SDK, for the instrumentations of it."""

import asyncio

from agents import (
    Agent,
    AgentsException,
    GuardrailFunctionOutput,
    InputGuardrailTripwireTriggered,
    OutputGuardrailTripwireTriggered,
    Runner,
    function_tool,
    input_guardrail,
    output_guardrail,
    trace,
)
from openai import APIError
from pydantic import BaseModel
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


@output_guardrail
async def refuse(context, _agent, _said):
    result = await Runner.run(helper("checker"), "Q check", context=context.context)
    return GuardrailFunctionOutput(output_info=result.final_output, tripwire_triggered=True)


@output_guardrail
async def refuse_by_rule(_context, _agent, _said):
    return GuardrailFunctionOutput(output_info="SECRET reason", tripwire_triggered=True)


def answer_refused():
    try:
        Runner.run_sync(helper(output_guardrails=[refuse], tools=[lookup]), "Q TOOL refused")
    except OutputGuardrailTripwireTriggered:
        pass


def answer_refused_by_rule():
    try:
        Runner.run_sync(helper(output_guardrails=[refuse_by_rule]), "Q refused")
    except OutputGuardrailTripwireTriggered:
        pass


def answer_refused_streamed():
    async def ask():
        try:
            async for _ in Runner.run_streamed(
                helper(output_guardrails=[refuse_by_rule]), "Q refused stream"
            ).stream_events():
                pass
        except OutputGuardrailTripwireTriggered:
            pass

    asyncio.run(ask())


class Reply(BaseModel):
    text: str
    stars: int


def structured():
    Runner.run_sync(helper(output_type=Reply, tools=[lookup]), "Q TOOL structured")


def failed():
    """The model says something beside its call of a tool, and then no more."""
    try:
        Runner.run_sync(helper(tools=[lookup]), "Q TOOL SAYING FAIL agent")
    except APIError:
        pass


def turns_exceeded():
    try:
        Runner.run_sync(helper(tools=[lookup]), "Q TOOL SAYING exceeded", max_turns=1)
    except AgentsException:
        pass


def retried():
    Runner.run_sync(helper(), "Q RETRY agent")


def tools_in_parallel():
    Runner.run_sync(helper(tools=[lookup]), "Q PARALLEL SAYING agent")


def refused_by_model():
    try:
        Runner.run_sync(helper(), "Q REFUSAL agent")
    except AgentsException:
        pass


def handed_over_twice():
    last = helper("last", tools=[lookup])
    Runner.run_sync(
        helper(handoffs=[helper("other", handoffs=[last])]), [*HISTORY, {"role": "user", "content": "Q HANDOFF twice"}]
    )


def parts():
    content = [
        {"type": "input_text", "text": "Q parts"},
        {"type": "input_image", "image_url": "https://example.com/SECRET.png"},
    ]
    Runner.run_sync(helper(), [{"role": "user", "content": content}])


def tool_result_is_final():
    """The application tells the person what a tool gave back."""

    @function_tool
    def lookup_price(word: str) -> str:
        """Looks a price up."""
        return "42 euros"

    Runner.run_sync(helper(tools=[lookup_price], tool_use_behavior="stop_on_first_tool"), "Q TOOL final")


def conversation_in_a_trace():
    """Two questions of a person in one trace of the SDK, as its guide shows."""
    with trace("conversation"):
        first = Runner.run_sync(helper(), "Q first")
        given = [*first.to_input_list(), {"role": "user", "content": "Q TOOL second"}]
        Runner.run_sync(helper(tools=[lookup]), given)


def by_chats():
    """By OpenAI's interface for chats, which other providers have, too."""
    from agents import OpenAIChatCompletionsModel
    from openai import AsyncOpenAI

    chats = OpenAIChatCompletionsModel(model="fake-model", openai_client=AsyncOpenAI())
    Runner.run_sync(Agent(name="helper", instructions="SECRET prompt", model=chats, tools=[lookup]), "Q TOOL chats")


RUNS = (agent, streamed, handed_over, guarded, tripped, agent_as_tool, session, one_workflow)
RUNS += (answer_refused, answer_refused_by_rule, answer_refused_streamed, structured, failed, turns_exceeded, retried)
RUNS += (tools_in_parallel, refused_by_model, handed_over_twice, parts, tool_result_is_final)
RUNS += (conversation_in_a_trace, by_chats)
SCENARIOS = {run.__name__: run for run in RUNS}
