# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "strands-agents[openai]==1.62.0",
#   "opentelemetry-sdk==1.45.1",
#   "opentelemetry-exporter-otlp-proto-http==1.45.1",
# ]
# ///
import os

from recorded import OUTPUT, open_provider, run

provider = open_provider()
# docs: begin
from strands import Agent

# Strands uses the provider that is registered.
# docs: end
from strands import tool
from strands.models.openai import OpenAIModel


@tool
def lookup(word: str) -> str:
    """Looks a word up."""
    return OUTPUT


def agent():
    client = {"base_url": os.environ["OPENAI_BASE_URL"], "api_key": "none"}
    history = [{"role": "user", "content": [{"text": "Q first"}]}, {"role": "assistant", "content": [{"text": "A first"}]}]
    model = OpenAIModel(client_args=client, model_id="fake-model")
    Agent(model=model, tools=[lookup], system_prompt="SECRET prompt", messages=history, callback_handler=None)("Q TOOL agent")


def helper(name="helper", **options):
    model = OpenAIModel(client_args={"base_url": os.environ["OPENAI_BASE_URL"], "api_key": "none"}, model_id="fake-model")
    return Agent(name=name, model=model, system_prompt="SECRET prompt", callback_handler=None, **options)


def streamed():
    import asyncio

    async def ask():
        async for _ in helper(tools=[lookup]).stream_async("Q TOOL streamed"):
            pass

    asyncio.run(ask())


def graph():
    from strands.multiagent import GraphBuilder

    builder = GraphBuilder()
    builder.add_node(helper("finder"), "finder")
    builder.add_node(helper("writer"), "writer")
    builder.add_edge("finder", "writer")
    builder.set_entry_point("finder")
    builder.build()("Q graph")


run(provider, globals())
