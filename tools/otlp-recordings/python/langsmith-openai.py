# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "openai==3.57.0",
#   "langsmith[otel]==0.15.1",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
# docs: begin
import os

os.environ["LANGSMITH_TRACING"] = "true"
os.environ["LANGSMITH_OTEL_ENABLED"] = "true"
os.environ["LANGSMITH_OTEL_ONLY"] = "true"
# docs: end
os.environ.update(LANGSMITH_API_KEY="none", LANGSMITH_ENDPOINT=os.environ["OTEL_EXPORTER_OTLP_ENDPOINT"] + "/langsmith")
from recorded import OUTPUT, open_provider, run

provider = open_provider()
# docs: begin
from langsmith import traceable
from langsmith.wrappers import wrap_openai
from openai import OpenAI

client = wrap_openai(OpenAI())
# docs: end
import openai_calls
from langsmith.run_trees import get_cached_client


@traceable(run_type="retriever")
def search(question):
    return [{"page_content": "DOCUMENT SECRET", "type": "Document", "metadata": {"source": "returns.md"}}]


@traceable(run_type="tool")
def lookup(word):
    return OUTPUT


@traceable
def ask(question, user_name):
    documents = search(question)
    lookup("SECRET argument")
    said = [{"role": "system", "content": documents[0]["page_content"]}, {"role": "user", "content": question}]
    return client.chat.completions.create(model="fake-model", messages=said).choices[0].message.content


def traced():
    ask("Q traced", "SECRET name")


@traceable
def reply(messages):
    said = client.chat.completions.create(model="fake-model", messages=messages).choices[0].message
    return {"messages": [*messages, {"role": "assistant", "content": said.content}]}


def traced_messages():
    reply(
        [
            {"role": "user", "content": "Q first"},
            {"role": "assistant", "content": "A first"},
            {"role": "user", "content": "Q last"},
        ]
    )


def by(scenario):
    return lambda: scenario(client)


def flushed(scenario):
    def go():
        scenario()
        get_cached_client().flush()
        provider.force_flush()

    return go


CALLS = ("conversation", "parts", "streamed", "tool", "responses")
own = {name: by(getattr(openai_calls, name)) for name in CALLS} | {"traced": traced, "traced_messages": traced_messages}
run(None, {name: flushed(scenario) for name, scenario in own.items()})
