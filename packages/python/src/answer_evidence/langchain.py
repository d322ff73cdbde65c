"""Records what LangChain answers: pass the handler as `config={"callbacks": [EvidenceHandler(evidence)]}`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.documents import Document
from langchain_core.messages import BaseMessage
from langchain_core.outputs import LLMResult

from .base import EvidenceBase
from .sources import document_source

QUESTIONS = ("question", "input", "query", "messages", "text")
ANSWERS = ("answer", "output", "result", "response", "messages", "text")
NAMES = ("title", "source", "url")


@dataclass
class Run:
    """The outermost run of one request, with what the runs below it found."""

    question: str
    sources: list[dict[str, Any]] = field(default_factory=list)


class EvidenceHandler(BaseCallbackHandler):
    """One record per outermost run: its input, its output, and the documents that were retrieved below it."""

    run_inline = True

    def __init__(self, evidence: EvidenceBase) -> None:
        self.evidence = evidence
        # Otherwise LangChain logs what a handler raises, and goes on.
        self.raise_error = evidence.fail == "closed"
        self.roots: dict[UUID, UUID] = {}
        self.runs: dict[UUID, Run] = {}

    def on_chain_start(
        self, serialized: Any, inputs: Any, *, run_id: UUID, parent_run_id: UUID | None = None, **_: Any
    ) -> None:
        self._begin(run_id, parent_run_id, text_of(inputs, QUESTIONS, "human"))

    def on_chat_model_start(
        self,
        serialized: Any,
        messages: list[list[BaseMessage]],
        *,
        run_id: UUID,
        parent_run_id: UUID | None = None,
        **_: Any,
    ) -> None:
        self._begin(run_id, parent_run_id, text_of(messages[0] if messages else [], QUESTIONS, "human"))

    def on_llm_start(
        self, serialized: Any, prompts: list[str], *, run_id: UUID, parent_run_id: UUID | None = None, **_: Any
    ) -> None:
        self._begin(run_id, parent_run_id, prompts[0] if prompts else "")

    def on_retriever_start(
        self, serialized: Any, query: str, *, run_id: UUID, parent_run_id: UUID | None = None, **_: Any
    ) -> None:
        self._begin(run_id, parent_run_id, query)

    def on_tool_start(
        self, serialized: Any, input_str: str, *, run_id: UUID, parent_run_id: UUID | None = None, **_: Any
    ) -> None:
        self._begin(run_id, parent_run_id, input_str)

    def on_retriever_end(self, documents: Sequence[Document], *, run_id: UUID, **_: Any) -> None:
        root = self.runs.get(self.roots.get(run_id, run_id))
        if root is not None:
            root.sources += [source_of(document) for document in documents]
        self._end(run_id, "")

    def on_llm_end(self, response: LLMResult, *, run_id: UUID, **_: Any) -> None:
        first = response.generations[0][0] if response.generations and response.generations[0] else None
        message = getattr(first, "message", None)
        self._end(run_id, "" if getattr(message, "tool_calls", None) else getattr(first, "text", ""))

    def on_chain_end(self, outputs: Any, *, run_id: UUID, **_: Any) -> None:
        self._end(run_id, text_of(outputs, ANSWERS, "ai"))

    def on_tool_end(self, output: Any, *, run_id: UUID, **_: Any) -> None:
        self._end(run_id, "")

    def on_chain_error(self, error: BaseException, *, run_id: UUID, **_: Any) -> None:
        self._end(run_id, "")

    on_llm_error = on_retriever_error = on_tool_error = on_chain_error

    def _begin(self, run_id: UUID, parent_run_id: UUID | None, question: str) -> None:
        root = run_id if parent_run_id is None else self.roots.get(parent_run_id, parent_run_id)
        self.roots[run_id] = root
        if root == run_id:
            self.runs[run_id] = Run(question)

    def _end(self, run_id: UUID, answer: str) -> None:
        self.roots.pop(run_id, None)
        run = self.runs.pop(run_id, None)
        if run is not None and run.question and answer:
            self.evidence.observe_answer(run.question, answer, source_refs=run.sources or None)


def text_of(value: Any, names: Sequence[str], role: str) -> str:
    """The text of an input or output: itself, that of its last message of the role, or that of a member."""
    if isinstance(value, str):
        return value
    if isinstance(value, BaseMessage):
        return "" if getattr(value, "tool_calls", None) else str(value.text)
    if isinstance(value, Mapping):
        found = (text_of(value[name], names, role) for name in names if name in value)
        return next((text for text in found if text), "")
    if isinstance(value, list | tuple):
        messages = [one for one in value if isinstance(one, BaseMessage) and one.type == role]
        return text_of(messages[-1], names, role) if messages else ""
    to_messages = getattr(value, "to_messages", None)
    return "" if to_messages is None else text_of(to_messages(), names, role)


def source_of(document: Document) -> dict[str, str]:
    """A document as a source."""
    return document_source(document.page_content, document.metadata, NAMES, document.id)
