# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "griptape[drivers-observability-opentelemetry]==1.13.0",
#   "openai==3.57.0",
#   "openinference-instrumentation-openai==0.1.66",
#   "opentelemetry-sdk==1.45.1",
#   "opentelemetry-exporter-otlp-proto-http==1.45.1",
# ]
# ///
from recorded import OUTPUT, open_provider, run

provider = open_provider()
# docs: begin
from griptape.drivers.observability.open_telemetry import OpenTelemetryObservabilityDriver
from griptape.observability import Observability
from openinference.instrumentation.openai import OpenAIInstrumentor
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace.export import BatchSpanProcessor

OpenAIInstrumentor().instrument(tracer_provider=provider)
driver = OpenTelemetryObservabilityDriver(
    service_name="support-bot", span_processor=BatchSpanProcessor(OTLPSpanExporter())
)
# docs: end
from griptape.artifacts import TextArtifact
from griptape.drivers.prompt.openai import OpenAiChatPromptDriver
from griptape.memory.structure import ConversationMemory
from griptape.rules import Rule
from griptape.structures import Agent
from griptape.tokenizers import SimpleTokenizer
from griptape.tools import BaseTool
from griptape.utils.decorators import activity
from schema import Literal, Schema


class Shelf(BaseTool):
    @activity(config={"description": "Looks a word up.", "schema": Schema({Literal("word"): str})})
    def lookup(self, params: dict) -> TextArtifact:
        return TextArtifact(OUTPUT)


def helper(is_streamed=False, **options):
    # That of OpenAI's models would be downloaded.
    tokenizer = SimpleTokenizer(characters_per_token=4, max_input_tokens=10000, max_output_tokens=1000)
    prompts = OpenAiChatPromptDriver(model="fake-model", api_key="none", tokenizer=tokenizer, stream=is_streamed)
    return Agent(prompt_driver=prompts, rules=[Rule("SECRET prompt")], **options)


def observed(go):
    with Observability(observability_driver=driver):
        go()


def single():
    observed(lambda: helper().run("Q single"))


def agent_with_tool():
    observed(lambda: helper(tools=[Shelf()]).run("Q TOOL agent"))


def conversation():
    memory = ConversationMemory()
    for question in ("Q first", "Q second"):
        observed(lambda: helper(conversation_memory=memory).run(question))


def streamed():
    agent = helper(is_streamed=True)
    observed(lambda: agent.run("Q streamed"))


run(provider, globals())
