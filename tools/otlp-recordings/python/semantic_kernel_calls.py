"""Agents and prompts of Semantic Kernel, for the instrumentations of it."""

import asyncio

from openai import AsyncOpenAI
from pydantic import BaseModel
from recorded import OUTPUT
from semantic_kernel import Kernel
from semantic_kernel.agents import ChatCompletionAgent, ChatHistoryAgentThread
from semantic_kernel.connectors.ai.open_ai import OpenAIChatCompletion, OpenAIChatPromptExecutionSettings
from semantic_kernel.contents import ChatHistory
from semantic_kernel.functions import KernelArguments, kernel_function


class Shelf:
    @kernel_function(name="lookup", description="Looks a word up.")
    def lookup(self, word: str) -> str:
        return OUTPUT


def agent():
    history = ChatHistory()
    history.add_user_message("Q first")
    history.add_assistant_message("A first")
    service = OpenAIChatCompletion(ai_model_id="fake-model", async_client=AsyncOpenAI())
    helper = ChatCompletionAgent(service=service, name="helper", instructions="SECRET prompt", plugins=[Shelf()])
    thread = ChatHistoryAgentThread(chat_history=history)
    asyncio.run(helper.get_response(messages="Q TOOL agent", thread=thread))


def service():
    return OpenAIChatCompletion(ai_model_id="fake-model", async_client=AsyncOpenAI())


def conversation():
    history = ChatHistory(system_message="SECRET prompt")
    history.add_user_message("Q first")
    history.add_assistant_message("A first")
    history.add_user_message("Q last")
    asyncio.run(service().get_chat_message_content(history, OpenAIChatPromptExecutionSettings()))


def streamed():
    async def ask():
        history = ChatHistory(system_message="SECRET prompt")
        history.add_user_message("Q streamed")
        async for _ in service().get_streaming_chat_message_content(history, OpenAIChatPromptExecutionSettings()):
            pass

    asyncio.run(ask())


def prompt_function():
    kernel = Kernel()
    kernel.add_service(service())
    asyncio.run(kernel.invoke_prompt("{{$input}}", function_name="ask", plugin_name="helper", input="Q prompt"))


def structured():
    class Reply(BaseModel):
        text: str
        stars: int

    settings = OpenAIChatPromptExecutionSettings(response_format=Reply)
    helper = ChatCompletionAgent(
        service=service(), name="helper", instructions="SECRET prompt", arguments=KernelArguments(settings=settings)
    )
    asyncio.run(helper.get_response(messages="Q structured"))
