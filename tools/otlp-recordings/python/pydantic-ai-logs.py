# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "pydantic-ai-slim[openai]==1.107.10",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
# Stays below: pydantic-ai-slim[openai] 2
from pydantic_ai.messages import ModelRequest, ModelResponse, TextPart, UserPromptPart
from pydantic_ai.models.openai import OpenAIChatModel
from recorded import OUTPUT, open_provider, run

provider = open_provider()
# docs: begin
from opentelemetry.exporter.otlp.proto.http._log_exporter import OTLPLogExporter
from opentelemetry.sdk._logs import LoggerProvider
from opentelemetry.sdk._logs.export import BatchLogRecordProcessor
from pydantic_ai import Agent
from pydantic_ai.models.instrumented import InstrumentationSettings

logs = LoggerProvider()
logs.add_log_record_processor(BatchLogRecordProcessor(OTLPLogExporter()))
Agent.instrument_all(InstrumentationSettings(version=1, event_mode="logs", logger_provider=logs))
# docs: end


def ask(question, history=(), **options):
    helper = Agent(OpenAIChatModel("fake-model"), instructions="SECRET prompt", name="helper", **options)

    @helper.tool_plain
    def lookup(word: str) -> str:
        """Looks a word up."""
        return OUTPUT

    helper.run_sync(question, message_history=list(history))
    logs.force_flush()


HISTORY = [ModelRequest(parts=[UserPromptPart("Q first")]), ModelResponse(parts=[TextPart("A first")])]


def single():
    ask("Q single")


def conversation():
    ask("Q last", HISTORY)


def agent():
    ask("Q TOOL agent", HISTORY)


run(provider, globals())
