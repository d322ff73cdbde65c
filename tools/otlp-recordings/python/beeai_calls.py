"""Agents of BeeAI, for the instrumentations of them."""

import asyncio
import os

from beeai_framework.agents.requirement import RequirementAgent
from beeai_framework.agents.tool_calling import ToolCallingAgent
from beeai_framework.adapters.openai import OpenAIChatModel
from beeai_framework.backend import AssistantMessage, SystemMessage, UserMessage
from beeai_framework.memory import UnconstrainedMemory
from beeai_framework.tools import tool
from recorded import OUTPUT


@tool
def lookup(word: str) -> str:
    """Looks a word up.

    Args:
        word: the word
    """
    return OUTPUT


def model():
    return OpenAIChatModel(
        "fake-model",
        base_url=os.environ["OPENAI_BASE_URL"],
        api_key="none",
        tool_call_fallback_via_response_format=False,
    )


def conversation():
    said = [SystemMessage("SECRET prompt"), UserMessage("Q first"), AssistantMessage("A first"), UserMessage("Q last")]

    async def ask():
        await model().run(said)

    asyncio.run(ask())


def streamed():
    async def ask():
        await model().run([SystemMessage("SECRET prompt"), UserMessage("Q streamed")], stream=True)

    asyncio.run(ask())


def agent_with_tool():
    async def ask():
        await RequirementAgent(llm=model(), tools=[lookup], instructions="SECRET prompt").run("Q TOOL agent")

    asyncio.run(ask())


def agent_with_memory():
    async def ask():
        agent = ToolCallingAgent(llm=model(), tools=[lookup], memory=UnconstrainedMemory())
        await agent.run("Q first")
        await agent.run("Q TOOL second")

    asyncio.run(ask())


SCENARIOS = {run.__name__: run for run in (conversation, streamed, agent_with_tool, agent_with_memory)}
