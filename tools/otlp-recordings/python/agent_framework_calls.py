"""Agents of the Microsoft Agent Framework, for the instrumentations of them."""

import asyncio

from agent_framework import Agent
from agent_framework.openai import OpenAIChatCompletionClient
from recorded import OUTPUT


def lookup(word: str) -> str:
    """Looks a word up."""
    return OUTPUT


def helper():
    return Agent(
        OpenAIChatCompletionClient(model="fake-model"), instructions="SECRET prompt", name="helper", tools=[lookup]
    )


def agent_with_memory():
    async def ask():
        asked = helper()
        session = asked.create_session()
        await asked.run("Q first", session=session)
        await asked.run("Q TOOL second", session=session)

    asyncio.run(ask())


def streamed():
    async def ask():
        async for _ in helper().run("Q streamed", stream=True):
            pass

    asyncio.run(ask())


def structured():
    from pydantic import BaseModel

    class Reply(BaseModel):
        text: str
        stars: int

    asyncio.run(helper().run("Q TOOL structured", options={"response_format": Reply}))


def failed():
    try:
        asyncio.run(helper().run("Q TOOL SAYING FAIL agent"))
    except Exception:
        pass


def tools_in_parallel():
    asyncio.run(helper().run("Q PARALLEL SAYING agent"))


def answer_refused():
    from agent_framework import AgentResponse, Message, agent_middleware

    @agent_middleware
    async def refuse(context, call_next):
        await call_next()
        context.result = AgentResponse(messages=[Message("assistant", ["I may not say that."])])

    asked = Agent(
        OpenAIChatCompletionClient(model="fake-model"), instructions="SECRET prompt", name="helper", middleware=[refuse]
    )
    asyncio.run(asked.run("Q refused"))


def agent_as_tool():
    expert = Agent(
        OpenAIChatCompletionClient(model="fake-model"),
        instructions="SECRET expert",
        name="lookup_expert",
        description="An expert",
    )
    outer = Agent(
        OpenAIChatCompletionClient(model="fake-model"),
        instructions="SECRET prompt",
        name="helper",
        tools=[expert.as_tool()],
    )
    asyncio.run(outer.run("Q TOOL outer"))


def workflow():
    from agent_framework.orchestrations import SequentialBuilder

    def member(name):
        return Agent(OpenAIChatCompletionClient(model="fake-model"), instructions="SECRET prompt", name=name)

    asyncio.run(SequentialBuilder(participants=[member("writer"), member("reviewer")]).build().run("Q workflow"))
