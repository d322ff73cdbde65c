# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "pydantic-ai-slim[openai]==2.68.0",
#   "openinference-instrumentation-pydantic-ai==0.1.30",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
import asyncio

from recorded import OUTPUT, run

# docs: begin
from openinference.instrumentation.pydantic_ai import OpenInferenceSpanProcessor
from opentelemetry import trace
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from pydantic_ai import Agent

provider = TracerProvider()
provider.add_span_processor(OpenInferenceSpanProcessor())
provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
trace.set_tracer_provider(provider)
Agent.instrument_all()
# docs: end
from pydantic_ai_calls import SCENARIOS

helper = Agent("openai-chat:fake-model", system_prompt="SECRET prompt")


@helper.tool_plain
def lookup(word: str) -> str:
    return OUTPUT


def agent_with_history():
    first = helper.run_sync("Q first")
    helper.run_sync("Q TOOL second", message_history=first.all_messages())


def streamed():
    async def ask():
        async with helper.run_stream("Q streamed") as reply:
            async for _ in reply.stream_text():
                pass

    asyncio.run(ask())


run(provider, {"agent_with_history": agent_with_history, "streamed": streamed, **SCENARIOS})
