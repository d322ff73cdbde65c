"""Pipelines and agents of Haystack, for the instrumentations of them."""

from haystack import Document, Pipeline
from haystack.components.agents import Agent
from haystack.components.builders import ChatPromptBuilder
from haystack.components.generators.chat import OpenAIChatGenerator
from haystack.components.retrievers.in_memory import InMemoryBM25Retriever
from haystack.dataclasses import ChatMessage
from haystack.document_stores.in_memory import InMemoryDocumentStore
from haystack.tools import tool
from haystack.utils import Secret
from recorded import OUTPUT

HISTORY = [
    ChatMessage.from_system("SECRET prompt"),
    ChatMessage.from_user("Q first"),
    ChatMessage.from_assistant("A first"),
]
TEMPLATE = """Documents:
{% for document in documents %}{{ document.content }}
{% endfor %}
{{ question }}"""


def model(**options):
    return OpenAIChatGenerator(model="fake-model", api_key=Secret.from_token("none"), **options)


def retrieval():
    store = InMemoryDocumentStore()
    store.write_documents(
        [
            Document(
                id="doc-1",
                content="DOCUMENT SECRET",
                meta={"file_path": "returns.md", "url": "https://example.com/returns"},
            )
        ]
    )
    pipeline = Pipeline()
    pipeline.add_component("retriever", InMemoryBM25Retriever(store))
    pipeline.add_component(
        "prompt", ChatPromptBuilder(template=[ChatMessage.from_user(TEMPLATE)], required_variables="*")
    )
    pipeline.add_component("model", model())
    pipeline.connect("retriever.documents", "prompt.documents")
    pipeline.connect("prompt.prompt", "model.messages")
    pipeline.run({"retriever": {"query": "document"}, "prompt": {"question": "Q retrieval"}})


def chat(text, **options):
    pipeline = Pipeline()
    pipeline.add_component("model", model(**options))
    pipeline.run({"model": {"messages": [*HISTORY, ChatMessage.from_user(text)]}})


def conversation():
    chat("Q last")


def streamed():
    chat("Q streamed", streaming_callback=lambda _: None)


def pipeline_of_two():
    """One model rewrites the question for the search, another one answers it."""
    from haystack.components.builders import AnswerBuilder
    from haystack.components.converters import OutputAdapter

    store = InMemoryDocumentStore()
    store.write_documents([Document(id="doc-1", content="DOCUMENT SECRET answer", meta={"name": "returns.md"})])
    pipeline = Pipeline()
    rewriting = [
        ChatMessage.from_system("SECRET rewrite"),
        ChatMessage.from_user("Rewrite for a search: {{ question }}"),
    ]
    answering = [ChatMessage.from_system("SECRET prompt"), ChatMessage.from_user(TEMPLATE)]
    pipeline.add_component("rewrite_prompt", ChatPromptBuilder(template=rewriting, required_variables="*"))
    pipeline.add_component("rewriter", model())
    pipeline.add_component("adapter", OutputAdapter(template="{{ replies[0].text }}", output_type=str))
    pipeline.add_component("retriever", InMemoryBM25Retriever(store))
    pipeline.add_component("prompt", ChatPromptBuilder(template=answering, required_variables="*"))
    pipeline.add_component("writer", model())
    pipeline.add_component("answers", AnswerBuilder())
    pipeline.connect("rewrite_prompt.prompt", "rewriter.messages")
    pipeline.connect("rewriter.replies", "adapter.replies")
    pipeline.connect("adapter", "retriever.query")
    pipeline.connect("retriever.documents", "prompt.documents")
    pipeline.connect("prompt.prompt", "writer.messages")
    pipeline.connect("writer.replies", "answers.replies")
    pipeline.connect("retriever.documents", "answers.documents")
    asked = "Q two"
    pipeline.run({"rewrite_prompt": {"question": asked}, "prompt": {"question": asked}, "answers": {"query": asked}})


def agent():
    @tool
    def lookup(word: str) -> str:
        """Looks a word up."""
        return OUTPUT

    helper = Agent(chat_generator=model(), tools=[lookup], system_prompt="SECRET prompt")
    helper.run(messages=[*HISTORY[1:], ChatMessage.from_user("Q TOOL agent")])


def agent_in_pipeline():
    """Only the pipeline shows what the agent says."""

    @tool
    def lookup(word: str) -> str:
        """Looks a word up."""
        return OUTPUT

    pipeline = Pipeline()
    asked = [ChatMessage.from_system("SECRET prompt"), ChatMessage.from_user("{{ question }}")]
    pipeline.add_component("prompt", ChatPromptBuilder(template=asked, required_variables="*"))
    pipeline.add_component("agent", Agent(chat_generator=model(), tools=[lookup]))
    pipeline.connect("prompt.prompt", "agent.messages")
    pipeline.run({"prompt": {"question": "Q TOOL pipeline"}})
