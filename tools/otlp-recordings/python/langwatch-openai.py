# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "openai==3.54.0",
#   "langwatch==1.4.0",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
import os

from recorded import OUTPUT, open_provider, run

provider = open_provider()
# docs: begin
import langwatch

langwatch.setup(
    api_key="none", endpoint_url=os.environ["OTEL_EXPORTER_OTLP_ENDPOINT"] + "/langwatch", tracer_provider=provider
)
# docs: end
from openai import OpenAI


@langwatch.span(type="tool")
def lookup(word):
    return OUTPUT


@langwatch.span(type="rag")
def shelf(query):
    langwatch.get_current_span().update(contexts=[{"document_id": "doc-1", "content": "DOCUMENT SECRET"}])
    return ["DOCUMENT SECRET"]


@langwatch.trace()
def ask(question, **options):
    client = OpenAI()
    langwatch.get_current_trace().autotrack_openai_calls(client)
    shelf(question)
    lookup("SECRET argument")
    said = [
        {"role": "system", "content": "SECRET prompt"},
        {"role": "user", "content": "Q first"},
        {"role": "assistant", "content": "A first"},
        {"role": "user", "content": question},
    ]
    got = client.chat.completions.create(model="fake-model", messages=said, **options)
    if options.get("stream"):
        return "".join(c.choices[0].delta.content or "" for c in got if c.choices)
    return got.choices[0].message.content


def conversation():
    ask("Q last")


def streamed():
    ask("Q streamed", stream=True)


run(provider, globals())
