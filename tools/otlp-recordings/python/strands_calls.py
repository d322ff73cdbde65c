"""Agents of Strands, for the instrumentations of them."""

import os

from recorded import OUTPUT
from strands import Agent, tool
from strands.models.openai import OpenAIModel


@tool
def lookup(word: str) -> str:
    """Looks a word up."""
    return OUTPUT


def agent():
    client = {"base_url": os.environ["OPENAI_BASE_URL"], "api_key": "none"}
    history = [
        {"role": "user", "content": [{"text": "Q first"}]},
        {"role": "assistant", "content": [{"text": "A first"}]},
    ]
    model = OpenAIModel(client_args=client, model_id="fake-model")
    Agent(model=model, tools=[lookup], system_prompt="SECRET prompt", messages=history, callback_handler=None)(
        "Q TOOL agent"
    )


def helper(name="helper", **options):
    model = OpenAIModel(
        client_args={"base_url": os.environ["OPENAI_BASE_URL"], "api_key": "none"}, model_id="fake-model"
    )
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


def rated():
    from pydantic import BaseModel

    class Rating(BaseModel):
        """A rating."""

        stars: int

    helper(tools=[lookup], structured_output_model=Rating)("Q TOOL rated")


def structured():
    from pydantic import BaseModel

    class Reply(BaseModel):
        """A reply."""

        text: str
        stars: int

    helper(tools=[lookup])("Q TOOL structured", structured_output_model=Reply)


def failed():
    try:
        helper(tools=[lookup])("Q TOOL SAYING FAIL agent")
    except Exception:
        pass


def tools_in_parallel():
    helper(tools=[lookup])("Q PARALLEL SAYING agent")


def agent_as_tool():
    @tool
    def lookup_expert(word: str) -> str:
        """Asks an expert."""
        return str(helper("expert")(f"Q inner {word}"))

    helper(tools=[lookup_expert])("Q TOOL outer")


def swarm():
    from strands.multiagent import Swarm

    Swarm([helper("first"), helper("second")])("Q swarm")


def parts():
    image = {"image": {"format": "png", "source": {"bytes": b"SECRET"}}}
    helper()([{"text": "Q parts"}, image])
