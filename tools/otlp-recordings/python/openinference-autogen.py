# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "autogen-agentchat==0.7.5",
#   "autogen-ext[openai]==0.7.5",
#   "openinference-instrumentation-autogen-agentchat==0.1.22",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
import asyncio
import os

from recorded import OUTPUT, open_provider, run

provider = open_provider()
# docs: begin
from openinference.instrumentation.autogen_agentchat import AutogenAgentChatInstrumentor

AutogenAgentChatInstrumentor().instrument(tracer_provider=provider)
# docs: end
from autogen_agentchat.agents import AssistantAgent
from autogen_ext.models.openai import OpenAIChatCompletionClient

INFO = {"vision": False, "function_calling": True, "json_output": False, "family": "unknown", "structured_output": False}


def helper(name="helper", **options):
    model = OpenAIChatCompletionClient(model="fake-model", base_url=os.environ["OPENAI_BASE_URL"], api_key="none", model_info=INFO)
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
        async for _ in RoundRobinGroupChat([helper()], termination_condition=MaxMessageTermination(2)).run_stream(task="Q streamed"):
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
    asyncio.run(Swarm([first, second], termination_condition=TextMentionTermination("ANSWER")).run(task="Q HANDOFF swarm"))


def tool_result_is_final():
    asyncio.run(helper(tools=[lookup]).run(task="Q TOOL final"))


def tools_in_parallel():
    asyncio.run(helper(tools=[lookup], reflect_on_tool_use=True).run(task="Q PARALLEL SAYING agent"))


def failed():
    try:
        asyncio.run(helper(tools=[lookup], reflect_on_tool_use=True).run(task="Q TOOL SAYING FAIL agent"))
    except Exception:
        pass


run(provider, globals())
