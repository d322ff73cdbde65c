"""Queries, chats and agents of LlamaIndex, for the instrumentations of it."""

import asyncio
import os

from llama_index.core import Document, Settings, VectorStoreIndex
from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.llms import ChatMessage
from llama_index.core.tools import FunctionTool
from llama_index.embeddings.openai import OpenAIEmbedding
from llama_index.llms.openai import OpenAI
from recorded import HISTORY, OUTPUT

URL = os.environ["OPENAI_BASE_URL"]
Settings.llm = OpenAI(model="gpt-4o-mini", api_base=URL, api_key="none")
Settings.embed_model = OpenAIEmbedding(api_base=URL, api_key="none")


def index():
    return VectorStoreIndex.from_documents(
        [Document(text="DOCUMENT SECRET", metadata={"file_name": "returns.md", "url": "https://example.com/returns"})]
    )


def conversation():
    messages = [ChatMessage(role="system", content="SECRET prompt"), *(ChatMessage(**m) for m in HISTORY)]
    Settings.llm.chat([*messages, ChatMessage(role="user", content="Q last")])


def query_engine():
    index().as_query_engine().query("Q query")


def chat_streamed():
    engine = index().as_chat_engine(chat_mode="context", system_prompt="SECRET prompt")
    for _ in engine.stream_chat("Q streamed", chat_history=[ChatMessage(**m) for m in HISTORY]).response_gen:
        pass


def agent():
    def lookup(word: str) -> str:
        """Looks a word up."""
        return OUTPUT

    async def ask():
        helper = FunctionAgent(
            tools=[FunctionTool.from_defaults(lookup)], llm=Settings.llm, system_prompt="SECRET prompt"
        )
        await helper.run("Q TOOL agent", chat_history=[ChatMessage(**m) for m in HISTORY])

    asyncio.run(ask())


def chat_condensed():
    engine = index().as_chat_engine(chat_mode="condense_plus_context", system_prompt="SECRET prompt")
    engine.chat("Q condensed", chat_history=[ChatMessage(**m) for m in HISTORY])


def query_streamed():
    for _ in index().as_query_engine(streaming=True).query("Q streamed").response_gen:
        pass


def workflow():
    from llama_index.core.workflow import StartEvent, StopEvent, Workflow, step

    class Helper(Workflow):
        @step
        async def reply(self, event: StartEvent) -> StopEvent:
            found = await index().as_retriever().aretrieve(event.question)
            said = [
                ChatMessage(role="system", content=f"SECRET {found[0].text}"),
                ChatMessage(role="user", content=event.question),
            ]
            return StopEvent(result=(await Settings.llm.achat(said)).message.content)

    async def ask():
        await Helper().run(question="Q workflow")

    asyncio.run(ask())


def handed_over():
    from llama_index.core.agent.workflow import AgentWorkflow

    def lookup(word: str) -> str:
        """Looks a word up."""
        return OUTPUT

    async def ask():
        tools = [FunctionTool.from_defaults(lookup)]
        first = FunctionAgent(
            name="first", description="first", llm=Settings.llm, tools=tools, system_prompt="SECRET prompt"
        )
        other = FunctionAgent(name="other", description="other", llm=Settings.llm, system_prompt="SECRET prompt")
        await AgentWorkflow(agents=[first, other], root_agent="first").run("Q TOOL several")

    asyncio.run(ask())


def react():
    from llama_index.core.agent.workflow import ReActAgent

    async def ask():
        await ReActAgent(tools=[], llm=Settings.llm, system_prompt="SECRET prompt").run("Q react")

    asyncio.run(ask())


def structured():
    from pydantic import BaseModel

    class Reply(BaseModel):
        text: str
        stars: int

    Settings.llm.as_structured_llm(Reply).chat(
        [ChatMessage(role="system", content="SECRET prompt"), ChatMessage(role="user", content="Q structured")]
    )


def query_structured():
    from pydantic import BaseModel

    class Reply(BaseModel):
        text: str
        stars: int

    index().as_query_engine(output_cls=Reply).query("Q query structured")


def sub_questions():
    from llama_index.core.query_engine import SubQuestionQueryEngine
    from llama_index.core.tools import QueryEngineTool

    tools = [QueryEngineTool.from_defaults(index().as_query_engine(), name="returns", description="SECRET returns")]
    SubQuestionQueryEngine.from_defaults(tools, use_async=False).query("Q sub questions")


def query_refined():
    index().as_query_engine(response_mode="tree_summarize").query(
        "Q lines:\n1. Wie lange?\n2. \u3044\u304f\u3089\uff1f"
    )


def failed():
    try:
        index().as_query_engine(llm=OpenAI(model="gpt-4o-mini", api_base=URL, api_key="none", max_retries=0)).query(
            "Q FAIL query"
        )
    except Exception:
        pass


def agent_with_retrieval():
    """The engine is a tool of the agent."""
    from llama_index.core.tools import QueryEngineTool

    async def ask():
        engine = QueryEngineTool.from_defaults(index().as_query_engine(), name="lookup", description="SECRET returns")
        await FunctionAgent(tools=[engine], llm=Settings.llm, system_prompt="SECRET prompt").run("Q TOOL engine")

    asyncio.run(ask())


def tools_in_parallel():
    def lookup(word: str) -> str:
        """Looks a word up."""
        return OUTPUT

    async def ask():
        await FunctionAgent(
            tools=[FunctionTool.from_defaults(lookup)], llm=Settings.llm, system_prompt="SECRET prompt"
        ).run("Q PARALLEL SAYING agent")

    asyncio.run(ask())


RUNS = (conversation, query_engine, chat_streamed, agent, chat_condensed, query_streamed, workflow, handed_over)
RUNS += (
    react,
    structured,
    query_structured,
    sub_questions,
    query_refined,
    failed,
    agent_with_retrieval,
    tools_in_parallel,
)
SCENARIOS = {run.__name__: run for run in RUNS}
