"""Calls and observed functions under Langfuse, with a second exporter beside its own."""

import os

import openai_calls
from recorded import OUTPUT, run

os.environ.update(
    LANGFUSE_PUBLIC_KEY="pk",
    LANGFUSE_SECRET_KEY="sk",
    LANGFUSE_BASE_URL=os.environ["OTEL_EXPORTER_OTLP_ENDPOINT"] + "/langfuse",
)
# docs: begin
from langfuse import Langfuse, observe
from langfuse.openai import OpenAI
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

provider = TracerProvider()
provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
langfuse = Langfuse(tracer_provider=provider)
# docs: end


def conversation():
    openai_calls.conversation(OpenAI())


def streamed():
    openai_calls.streamed(OpenAI())


@observe(as_type="retriever")
def shelf(query):
    return [{"id": "doc-1", "content": "DOCUMENT SECRET", "score": 0.5, "metadata": {"source": "returns.md"}}]


@observe(as_type="tool")
def lookup(word):
    return OUTPUT


@observe()
def ask(question):
    shelf(question)
    lookup("SECRET argument")
    messages = [{"role": "system", "content": "SECRET prompt"}, {"role": "user", "content": question}]
    return OpenAI().chat.completions.create(model="fake-model", messages=messages).choices[0].message.content


def observed():
    ask("Q observed")


@observe()
def handle(ticket, customer):
    messages = [{"role": "user", "content": f"Q {ticket['text']}"}]
    reply = OpenAI().chat.completions.create(model="fake-model", messages=messages).choices[0].message.content
    return {"status": "sent", "reply_id": 7, "parts": [reply]}


def observed_state():
    handle({"text": "state", "note": "SECRET note"}, customer="SECRET customer")


def main():
    run(provider, globals())
    langfuse.flush()
