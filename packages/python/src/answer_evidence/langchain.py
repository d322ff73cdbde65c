"""Records what LangChain answers: pass the handler as `config={"callbacks": [EvidenceHandler(evidence)]}`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID
from weakref import WeakKeyDictionary

from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.documents import Document
from langchain_core.messages import BaseMessage
from langchain_core.outputs import LLMResult

from .base import EvidenceBase
from .parts import EndedBy, ended_by, part_ref
from .sources import document_source

QUESTIONS = ("question", "input", "query", "messages", "text")
ANSWERS = ("answer", "output", "result", "response", "messages", "text")
NAMES = ("title", "source", "url")


@dataclass
class Run:
    """The outermost run of one request, with what the runs below it found."""

    question: str
    # The first of the handlers that see it.
    handler: EvidenceHandler
    sources: list[dict[str, Any]] = field(default_factory=list)
    # Models that have not ended, and what the last one had said when it broke.
    speaking: set[UUID] = field(default_factory=set)
    said: str = ""
    # Who left or broke the stream of a chain whose models are closed after it.
    left: EndedBy | None = None


@dataclass
class Runs:
    """The runs that all handlers of one client see, so that two of them make one record."""

    roots: dict[UUID, UUID] = field(default_factory=dict)
    open: dict[UUID, Run] = field(default_factory=dict)


_runs: WeakKeyDictionary[EvidenceBase, Runs] = WeakKeyDictionary()


class EvidenceHandler(BaseCallbackHandler):
    """
    One record per outermost run: its input, its output, and the documents that were retrieved below it. Of a stream
    that was left or that broke, what came is recorded, marked as a part.
    """

    run_inline = True

    def __init__(self, evidence: EvidenceBase) -> None:
        self.evidence = evidence
        # Otherwise LangChain logs what a handler raises, and goes on.
        self.raise_error = evidence.fail == "closed"
        own = _runs.setdefault(evidence, Runs())
        self.roots, self.runs = own.roots, own.open

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
        self._speak(run_id)

    def on_llm_start(
        self, serialized: Any, prompts: list[str], *, run_id: UUID, parent_run_id: UUID | None = None, **_: Any
    ) -> None:
        self._begin(run_id, parent_run_id, prompts[0] if prompts else "")
        self._speak(run_id)

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

    def on_chain_end(self, outputs: Any, *, run_id: UUID, inputs: Any = None, **_: Any) -> None:
        answer = text_of(outputs, ANSWERS, "ai")
        if not self._is_left(run_id, self._asked(run_id, inputs), answer, "caller"):
            self._end(run_id, answer)

    def on_tool_end(self, output: Any, *, run_id: UUID, **_: Any) -> None:
        self._end(run_id, "")

    def on_chain_error(self, error: BaseException, *, run_id: UUID, inputs: Any = None, **_: Any) -> None:
        run = self._asked(run_id, inputs)
        if not self._is_left(run_id, run, "", ended_by(error)):
            self._end(run_id, run.said if run is not None else "", ended_by(error))

    on_retriever_error = on_tool_error = on_chain_error

    def on_llm_error(self, error: BaseException, *, run_id: UUID, response: LLMResult | None = None, **_: Any) -> None:
        run = self.runs.get(self.roots.get(run_id, run_id))
        if run is not None:
            # Only a stream shows what it has said before.
            said = said_in(response) if response is not None else ""
            run.said = said if run.left is None else run.said or said
        self._end(run_id, run.said if run is not None else "", ended_by(error))

    def _begin(self, run_id: UUID, parent_run_id: UUID | None, question: str) -> None:
        root = run_id if parent_run_id is None else self.roots.get(parent_run_id, parent_run_id)
        self.roots[run_id] = root
        if root == run_id and run_id not in self.runs:
            self.runs[run_id] = Run(question, self)

    def _is_left(self, run_id: UUID, run: Run | None, answer: str, by: EndedBy) -> bool:
        """Whether a stream was left: its chain ends before its models, which then tell what they had said."""
        if run is None or not run.speaking:
            return False
        self.roots.pop(run_id, None)
        run.said, run.left = run.said or answer, by
        return True

    def _asked(self, run_id: UUID, inputs: Any) -> Run | None:
        """The run with its question: a chain that is streamed shows its input at its end."""
        run = self.runs.get(run_id)
        if run is not None and not run.question:
            run.question = text_of(inputs, QUESTIONS, "human")
        return run

    def on_llm_new_token(self, token: Any, *, chunk: Any = None, run_id: UUID, **_: Any) -> None:
        run = self.runs.get(self.roots.get(run_id, run_id))
        # After it was left, a chain reads on for its traces.
        if run is not None and run.handler is self and run.left is None:
            run.said += str(getattr(chunk, "text", "") or (token if isinstance(token, str) else ""))

    def _speak(self, run_id: UUID) -> None:
        run = self.runs.get(self.roots.get(run_id, run_id))
        if run is not None:
            run.speaking.add(run_id)
            run.said = ""

    def _end(self, run_id: UUID, answer: str, by: EndedBy | None = None) -> None:
        root_id = self.roots.pop(run_id, run_id)
        root = self.runs.get(root_id)
        if root is not None:
            if run_id in root.speaking and by is None and root.left is None:
                root.said = ""
            root.speaking.discard(run_id)
            if root.left is not None and not root.speaking:
                run_id, answer, by = root_id, root.said or answer, root.left
        run = self.runs.pop(run_id, None)
        if run is None or not run.question or not answer:
            return
        refs = {"source_refs": run.sources or None, "semantic_refs": [part_ref(by)] if by is not None else None}
        try:
            self.evidence.observe_answer(run.question, answer, **refs)
        except Exception as error:
            # Who left a stream hears of no error, and another one is on its way.
            if by is None:
                raise
            self.evidence.report(error)


def said_in(response: LLMResult) -> str:
    """What a model had said of its first answer when it broke."""
    first = response.generations[0][0] if response.generations and response.generations[0] else None
    return str(getattr(first, "text", "") or "")


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
