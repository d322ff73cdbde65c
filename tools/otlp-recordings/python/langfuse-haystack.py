# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "haystack-ai==3.4.1",
#   "langfuse-haystack==8.0.0",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
# docs: begin
import os

os.environ["HAYSTACK_CONTENT_TRACING_ENABLED"] = "true"
# docs: end
os.environ.update(LANGFUSE_PUBLIC_KEY="none", LANGFUSE_SECRET_KEY="none")
os.environ["LANGFUSE_HOST"] = os.environ["OTEL_EXPORTER_OTLP_ENDPOINT"] + "/langfuse"
from recorded import open_provider, run

provider = open_provider()
# docs: begin
from haystack_integrations.components.connectors.langfuse import LangfuseConnector

connector = LangfuseConnector("support-bot")
# docs: end
from haystack import Document, Pipeline
from haystack.components.builders import ChatPromptBuilder
from haystack.components.retrievers.in_memory import InMemoryBM25Retriever
from haystack.dataclasses import ChatMessage
from haystack.document_stores.in_memory import InMemoryDocumentStore
from haystack_calls import model

SYSTEM = ChatMessage.from_system("SECRET prompt")


def chat(*said, **options):
    pipeline = Pipeline()
    pipeline.add_component("tracer", connector)
    pipeline.add_component("llm", model(**options))
    pipeline.run({"llm": {"messages": [SYSTEM, *said]}})


def single():
    chat(ChatMessage.from_user("Q single"))


def conversation():
    history = [ChatMessage.from_user("Q first"), ChatMessage.from_assistant("A first")]
    chat(*history, ChatMessage.from_user("Q last"))


def streamed():
    chat(ChatMessage.from_user("Q streamed"), streaming_callback=lambda chunk: None)


def retrieval():
    store = InMemoryDocumentStore()
    store.write_documents(
        [Document(content="DOCUMENT SECRET retrieval", meta={"file_path": "returns.md", "url": "https://example.com/r"})]
    )
    template = [SYSTEM, ChatMessage.from_user("From {% for d in documents %}{{ d.content }}{% endfor %}\n\n{{ question }}")]
    pipeline = Pipeline()
    pipeline.add_component("tracer", connector)
    pipeline.add_component("retriever", InMemoryBM25Retriever(store))
    pipeline.add_component("prompt", ChatPromptBuilder(template, required_variables="*"))
    pipeline.add_component("llm", model())
    pipeline.connect("retriever.documents", "prompt.documents")
    pipeline.connect("prompt.prompt", "llm.messages")
    pipeline.run({"retriever": {"query": "Q retrieval"}, "prompt": {"question": "Q retrieval"}})


run(provider, globals())
