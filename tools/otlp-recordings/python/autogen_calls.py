"""Agents and teams of AutoGen, for the instrumentations of them."""

import asyncio
import os

from recorded import OUTPUT
from autogen_agentchat.agents import AssistantAgent
from autogen_ext.models.openai import OpenAIChatCompletionClient

INFO = {
    "vision": False,
    "function_calling": True,
    "json_output": False,
    "family": "unknown",
    "structured_output": False,
}


def helper(name="helper", **options):
    model = OpenAIChatCompletionClient(
        model="fake-model", base_url=os.environ["OPENAI_BASE_URL"], api_key="none", model_info=INFO
    )
    return AssistantAgent(name, model_client=model, system_message="SECRET prompt", **options)


def agent_of_text():
    asyncio.run(helper().run(task="Q agent"))


def agent_with_tool():
    async def lookup(word: str) -> str:
        """Looks a word up."""
        return OUTPUT

    asyncio.run(helper(tools=[lookup], reflect_on_tool_use=True).run(task="Q TOOL agent"))


def team():
    from autogen_agentchat.conditions import MaxMessageTermination
    from autogen_agentchat.teams import RoundRobinGroupChat

    first, second = helper(), helper("reviewer")
    asyncio.run(RoundRobinGroupChat([first, second], termination_condition=MaxMessageTermination(3)).run(task="Q team"))


def team_streamed():
    from autogen_agentchat.conditions import MaxMessageTermination
    from autogen_agentchat.teams import RoundRobinGroupChat

    async def ask():
        async for _ in RoundRobinGroupChat([helper()], termination_condition=MaxMessageTermination(2)).run_stream(
            task="Q streamed"
        ):
            pass

    asyncio.run(ask())


async def lookup(word: str) -> str:
    """Looks a word up."""
    return OUTPUT


def handed_over():
    from autogen_agentchat.conditions import TextMentionTermination
    from autogen_agentchat.teams import Swarm

    first = helper("first", handoffs=["second"])
    second = helper("second")
    asyncio.run(
        Swarm([first, second], termination_condition=TextMentionTermination("ANSWER")).run(task="Q HANDOFF swarm")
    )


def tool_result_is_final():
    asyncio.run(helper(tools=[lookup]).run(task="Q TOOL final"))


def tools_in_parallel():
    asyncio.run(helper(tools=[lookup], reflect_on_tool_use=True).run(task="Q PARALLEL SAYING agent"))


def failed():
    try:
        asyncio.run(helper(tools=[lookup], reflect_on_tool_use=True).run(task="Q TOOL SAYING FAIL agent"))
    except Exception:
        pass
