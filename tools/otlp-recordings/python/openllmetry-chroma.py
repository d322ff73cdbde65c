# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "chromadb==1.5.9",
#   "openai==3.57.0",
#   "opentelemetry-instrumentation-openai==0.62.4",
#   "opentelemetry-instrumentation-chromadb==0.62.4",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
from openai import OpenAI
from opentelemetry import trace
from recorded import HISTORY, open_provider, run

provider = open_provider()
# docs: begin
from opentelemetry.instrumentation.chromadb import ChromaInstrumentor
from opentelemetry.instrumentation.openai import OpenAIInstrumentor

OpenAIInstrumentor().instrument(tracer_provider=provider)
ChromaInstrumentor().instrument(tracer_provider=provider)
# docs: end
import chromadb
from chromadb.config import Settings


def fill_shelf():
    shelf = chromadb.EphemeralClient(Settings(anonymized_telemetry=False)).get_or_create_collection("shelf")
    shelf.add(
        ids=["returns.md"],
        embeddings=[[1.0, 0.0]],
        documents=["DOCUMENT SECRET"],
        metadatas=[{"source": "returns.md", "url": "https://example.com/returns"}],
    )
    return shelf


def answer(question, history=()):
    shelf = fill_shelf()
    found = shelf.query(query_embeddings=[[1.0, 0.0]], n_results=1)
    system = {"role": "system", "content": f"SECRET prompt {found['documents'][0][0]}"}
    OpenAI().chat.completions.create(
        model="fake-model", messages=[system, *history, {"role": "user", "content": question}]
    )


def retrieval():
    with trace.get_tracer("support-bot").start_as_current_span("request"):
        answer("Q retrieval")


def conversation():
    with trace.get_tracer("support-bot").start_as_current_span("request"):
        answer("Q last", HISTORY)


run(provider, globals())
