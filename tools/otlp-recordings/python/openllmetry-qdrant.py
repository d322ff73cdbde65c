# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "qdrant-client==1.20.0",
#   "openai==3.57.0",
#   "opentelemetry-instrumentation-openai==0.62.4",
#   "opentelemetry-instrumentation-qdrant==0.62.4",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
from openai import OpenAI
from opentelemetry import trace
from recorded import open_provider, run

provider = open_provider()
# docs: begin
from opentelemetry.instrumentation.openai import OpenAIInstrumentor
from opentelemetry.instrumentation.qdrant import QdrantInstrumentor

OpenAIInstrumentor().instrument(tracer_provider=provider)
QdrantInstrumentor().instrument(tracer_provider=provider)
# docs: end
from qdrant_client import QdrantClient
from qdrant_client.models import Distance, PointStruct, VectorParams

shelf = QdrantClient(":memory:")
shelf.create_collection("shelf", vectors_config=VectorParams(size=2, distance=Distance.COSINE))
shelf.upsert("shelf", [PointStruct(id=1, vector=[1.0, 0.0], payload={"source": "returns.md", "text": "DOCUMENT SECRET"})])


def answer(write, question):
    with trace.get_tracer("support-bot").start_as_current_span("request"):
        found = shelf.query_points("shelf", query=[1.0, 0.0], limit=1).points
        OpenAI().chat.completions.create(model="fake-model", messages=write(found[0].payload["text"], question))


def retrieval():
    def write(found, question):
        return [{"role": "system", "content": f"SECRET prompt {found}"}, {"role": "user", "content": question}]

    answer(write, "Q retrieval")


def retrieval_in_message():
    def write(found, question):
        return [{"role": "user", "content": f"SECRET prompt {found}\n\nQuestion: {question}"}]

    answer(write, "Q message")


run(provider, globals())
