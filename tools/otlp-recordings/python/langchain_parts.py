"""What the scenarios of LangChain are made of: a model, a tool, a retriever."""

from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from langchain_openai import ChatOpenAI
from recorded import OUTPUT


def model(**options):
    return ChatOpenAI(model="fake-model", **options)


def tool():
    from langchain_core.tools import tool as make_tool

    @make_tool
    def lookup(word: str) -> str:
        """Looks a word up."""
        return OUTPUT

    return lookup


class Shelf(BaseRetriever):
    def _get_relevant_documents(self, query, *, run_manager):
        return [Document(id="doc-1", page_content="DOCUMENT SECRET", metadata={"source": "returns.md", "score": 0.5})]
