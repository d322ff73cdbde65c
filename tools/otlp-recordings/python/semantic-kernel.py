# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "semantic-kernel==1.45.0",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
import asyncio
import os

# docs: begin
os.environ["SEMANTICKERNEL_EXPERIMENTAL_GENAI_ENABLE_OTEL_DIAGNOSTICS_SENSITIVE"] = "true"
# docs: end
from opentelemetry._logs import set_logger_provider
from opentelemetry.exporter.otlp.proto.http._log_exporter import OTLPLogExporter
from opentelemetry.sdk._logs import LoggerProvider, LoggingHandler
from opentelemetry.sdk._logs.export import BatchLogRecordProcessor
from recorded import OUTPUT, open_provider, run

provider = open_provider()
logs = LoggerProvider()
logs.add_log_record_processor(BatchLogRecordProcessor(OTLPLogExporter()))
set_logger_provider(logs)

import logging

from openai import AsyncOpenAI
from semantic_kernel.agents import ChatCompletionAgent, ChatHistoryAgentThread
from semantic_kernel.connectors.ai.open_ai import OpenAIChatCompletion
from semantic_kernel.contents import ChatHistory
from semantic_kernel.functions import kernel_function

logging.getLogger().addHandler(LoggingHandler(logger_provider=logs))
logging.getLogger().setLevel(logging.INFO)


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
    from semantic_kernel.connectors.ai.open_ai import OpenAIChatPromptExecutionSettings

    history = ChatHistory(system_message="SECRET prompt")
    history.add_user_message("Q first")
    history.add_assistant_message("A first")
    history.add_user_message("Q last")
    asyncio.run(service().get_chat_message_content(history, OpenAIChatPromptExecutionSettings()))


def streamed():
    from semantic_kernel.connectors.ai.open_ai import OpenAIChatPromptExecutionSettings

    async def ask():
        history = ChatHistory(system_message="SECRET prompt")
        history.add_user_message("Q streamed")
        async for _ in service().get_streaming_chat_message_content(history, OpenAIChatPromptExecutionSettings()):
            pass

    asyncio.run(ask())


def prompt_function():
    from semantic_kernel import Kernel

    kernel = Kernel()
    kernel.add_service(service())
    asyncio.run(kernel.invoke_prompt("{{$input}}", function_name="ask", plugin_name="helper", input="Q prompt"))


def structured():
    from pydantic import BaseModel
    from semantic_kernel.connectors.ai.open_ai import OpenAIChatPromptExecutionSettings
    from semantic_kernel.functions import KernelArguments

    class Reply(BaseModel):
        text: str
        stars: int

    settings = OpenAIChatPromptExecutionSettings(response_format=Reply)
    helper = ChatCompletionAgent(service=service(), name="helper", instructions="SECRET prompt", arguments=KernelArguments(settings=settings))
    asyncio.run(helper.get_response(messages="Q structured"))


run(provider, globals())
logs.force_flush()
