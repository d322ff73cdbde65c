"""Chains of LangChain, with models that are made up."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from conftest import FakeService, problem
from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.language_models import FakeListChatModel
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import RunnableConfig, RunnablePassthrough

from answer_evidence import AnswerEvidence, ProblemError
from answer_evidence.langchain import EvidenceHandler

Create = Callable[..., AnswerEvidence]


class Shelf(BaseRetriever):
    """A retriever of one document."""

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:
        return [Document("Nine to five.", metadata={"source": "hours.md"})]


def test_records_one_answer_per_chain_with_the_documents_below_it(create: Create, service: FakeService) -> None:
    prompt = ChatPromptTemplate.from_template("{documents} {question}")
    model = FakeListChatModel(responses=["Yes, from nine."])
    chain: Any = {"documents": Shelf(), "question": RunnablePassthrough()} | prompt | model
    config = RunnableConfig(callbacks=[EvidenceHandler(create(fail="closed"))])
    assert chain.invoke("Open on Sunday?", config).content == "Yes, from nine."
    (record,) = service.records.values()
    assert (record["question"], record["answer"]) == ({"text": "Open on Sunday?"}, {"text": "Yes, from nine."})
    assert [ref["source_name"] for ref in record["source_refs"]] == ["hours.md"]


def test_records_a_model_that_is_called_alone(create: Create, service: FakeService) -> None:
    handler = EvidenceHandler(create(fail="closed"))
    model = FakeListChatModel(responses=["Yes.", "No."])
    model.invoke([("system", "Be brief."), ("human", "Open on Sunday?")], {"callbacks": [handler]})
    assert "".join(str(piece.content) for piece in model.stream("Sure?", {"callbacks": [handler]})) == "No."
    assert service.answers == ["Yes.", "No."]
    assert [record["question"]["text"] for record in service.records.values()] == ["Open on Sunday?", "Sure?"]
    assert (handler.roots, handler.runs) == ({}, {})


def test_records_nothing_of_a_chain_that_failed(create: Create, service: FakeService) -> None:
    handler = EvidenceHandler(create(fail="closed"))
    chain: Any = RunnablePassthrough() | (lambda _: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        chain.invoke("Open?", {"callbacks": [handler]})
    assert (service.answers, handler.roots, handler.runs) == ([], {}, {})


def test_holds_back_an_answer_that_is_not_recorded(create: Create, service: FakeService) -> None:
    service.replies = [problem(401, "token_expired")] * 2
    handler = EvidenceHandler(create(fail="closed"))
    chain: Any = RunnablePassthrough() | FakeListChatModel(responses=["Yes."])
    with pytest.raises(ProblemError):
        chain.invoke("Open?", {"callbacks": [handler]})
    with pytest.raises(ProblemError):
        asyncio.run(chain.ainvoke("Open?", {"callbacks": [handler]}))
