# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "agentscope==2.0.11",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
import asyncio
import os

from recorded import OUTPUT, open_provider, run

provider = open_provider()
# docs: begin
from agentscope.agent import Agent
from agentscope.middleware import TracingMiddleware

middlewares = [TracingMiddleware()]
# docs: end
from agentscope.credential import OpenAICredential
from agentscope.message import UserMsg
from agentscope.model import OpenAIChatModel
from agentscope.permission import PermissionBehavior, PermissionDecision
from agentscope.tool import FunctionTool, Toolkit


def lookup(word: str) -> str:
    """Looks a word up."""
    return OUTPUT


def helper(is_streamed=False):
    credential = OpenAICredential(api_key="none", base_url=os.environ["OPENAI_BASE_URL"])
    model = OpenAIChatModel(credential=credential, model="fake-model", stream=is_streamed)
    allowed = PermissionDecision(behavior=PermissionBehavior.ALLOW, message="allowed")
    toolkit = Toolkit(tools=[FunctionTool(lookup, is_read_only=True, permission=allowed)])
    return Agent(name="helper", system_prompt="SECRET prompt", model=model, toolkit=toolkit, middlewares=middlewares)


def ask(*questions, is_streamed=False):
    async def go():
        agent = helper(is_streamed)
        for question in questions:
            await agent.reply(UserMsg("user", question))

    asyncio.run(go())


def single():
    ask("Q single")


def conversation():
    ask("Q first", "Q last")


def streamed():
    ask("Q streamed", is_streamed=True)


def agent():
    ask("Q first", "Q TOOL agent")


run(provider, globals())
