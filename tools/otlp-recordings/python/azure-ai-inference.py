# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "azure-ai-inference[opentelemetry]==1.0.0b9",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
import os

from recorded import HISTORY, LOOKUP, OUTPUT, open_provider, run

provider = open_provider()
# docs: begin
os.environ["AZURE_TRACING_GEN_AI_CONTENT_RECORDING_ENABLED"] = "true"

from azure.ai.inference.tracing import AIInferenceInstrumentor
from azure.core.settings import settings

settings.tracing_implementation = "opentelemetry"
AIInferenceInstrumentor().instrument()
# docs: end
from azure.ai.inference import ChatCompletionsClient
from azure.ai.inference.models import ChatCompletionsToolDefinition, FunctionDefinition
from azure.core.credentials import AzureKeyCredential

SYSTEM = {"role": "system", "content": "SECRET prompt"}


def ask(messages, **options):
    client = ChatCompletionsClient(endpoint=os.environ["OPENAI_BASE_URL"], credential=AzureKeyCredential("none"))
    return client.complete(messages=messages, model="fake-model", **options)


def conversation():
    ask([SYSTEM, *HISTORY, {"role": "user", "content": "Q last"}])


def streamed():
    for _ in ask([SYSTEM, {"role": "user", "content": "Q streamed"}], stream=True):
        pass


def tool():
    tools = [ChatCompletionsToolDefinition(function=FunctionDefinition(**LOOKUP))]
    messages = [SYSTEM, {"role": "user", "content": "Q TOOL call"}]
    call = ask(messages, tools=tools).choices[0].message.tool_calls[0]
    asked = {"role": "assistant", "content": None, "tool_calls": [call.as_dict()]}
    ask([*messages, asked, {"role": "tool", "tool_call_id": call.id, "content": OUTPUT}], tools=tools)


run(provider, globals())
