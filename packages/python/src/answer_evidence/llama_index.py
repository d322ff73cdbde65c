"""Records what LlamaIndex answers: query engines, chat engines, agents, workflows and models, streamed or whole."""

from __future__ import annotations

import asyncio
import weakref
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from inspect import BoundArguments
from queue import Empty, Queue
from threading import RLock
from typing import Any

from llama_index.core.base.response.schema import AsyncStreamingResponse, StreamingResponse
from llama_index.core.chat_engine.types import StreamingAgentChatResponse
from llama_index.core.instrumentation import get_dispatcher
from llama_index.core.instrumentation.event_handlers import BaseEventHandler
from llama_index.core.instrumentation.events import BaseEvent
from llama_index.core.instrumentation.events.chat_engine import StreamChatDeltaReceivedEvent
from llama_index.core.instrumentation.events.exception import ExceptionEvent
from llama_index.core.instrumentation.events.llm import (
    LLMChatEndEvent,
    LLMChatInProgressEvent,
    LLMCompletionEndEvent,
    LLMCompletionInProgressEvent,
)
from llama_index.core.instrumentation.span import BaseSpan, active_span_id
from llama_index.core.instrumentation.span_handlers import BaseSpanHandler
from llama_index.core.schema import NodeWithScore
from pydantic import PrivateAttr

from .base import EvidenceBase
from .errors import ConfigurationError
from .llama_results import answer_of, nodes_of, question_of, source_of, unwrapped
from .parts import EndedBy, ended_by, part_ref
from .per_process import PerProcess

WRITERS = ("write_response_to_history", "awrite_response_to_history")


def observe_llama_index(evidence: EvidenceBase) -> None:
    """
    Records what LlamaIndex answers in this process from now on: one record per outermost call, with the passages that
    it retrieved as sources. Of a stream that was left or that broke, what came is recorded, marked as a part. Called
    again it changes nothing, but for the client that records from then on.
    """
    if evidence.fail == "closed":
        message = "LlamaIndex goes on whatever a handler raises, so no answer can be held back: use fail open with it"
        raise ConfigurationError(message)
    dispatcher, runs = get_dispatcher(), Runs(evidence)
    for handler in dispatcher.span_handlers:
        # By name: the module may have been loaded again.
        if type(handler).__name__ == CallHandler.__name__ and hasattr(handler, "_runs"):
            handler._runs.evidence = evidence
            return
    dispatcher.add_span_handler(CallHandler(runs))
    dispatcher.add_event_handler(StreamHandler(runs))


@dataclass
class Run:
    """The outermost call of one request, and what was found out in it."""

    question: str
    nodes: dict[str, NodeWithScore] = field(default_factory=dict)
    # A response that is written by another thread or task, and its pieces; and what was read of a model's stream.
    pending: Any = None
    pieces: list[str] = field(default_factory=list)
    said: str = ""


class Runs:
    """The requests that are being answered. Spans of one request come from several threads."""

    def __init__(self, evidence: EvidenceBase) -> None:
        self.evidence = evidence
        self._lock = PerProcess(RLock)
        self.roots: dict[str, str] = {}
        self.open: dict[str, Run] = {}

    def begin(self, span: str, parent: str | None, arguments: BoundArguments) -> None:
        """A call began."""
        with self._lock.get():
            root = span if parent is None else self.roots.get(parent, parent)
            self.roots[span] = root
            if root == span:
                self.open[span] = Run(question_of(arguments.arguments))

    def end(self, span: str, instance: Any, result: Any) -> None:
        """A call returned."""
        with self._lock.get():
            root = self.roots.pop(span, span)
            run = self.open.get(root)
            if run is None:
                return
            if span == root:
                self._end_root(root, run, unwrapped(result))
            elif run.pending is instance and instance is not None and is_writer(span):
                self._finish(root, instance.response, instance)
            else:
                run.nodes.update({node.node_id: node for node in nodes_of(result)})

    def drop(self, span: str, instance: Any, error: BaseException | None) -> None:
        """A call failed, so that there is no answer, but for what a stream has shown before."""
        with self._lock.get():
            root = self.roots.pop(span, span)
            run = self.open.get(root)
            if run is not None and span == root:
                del self.open[root]
            if run is None or not is_writer(span) or run.pending is not instance:
                return
            # From here on nobody else ends it.
            del self.open[root]
        if instance.is_done:
            self._record(run, instance.response, instance)
            return
        by = ended_by(error or GeneratorExit())
        if instance.aqueue is not None:
            # A reader that waits takes one more piece, before this is called.
            asyncio.get_running_loop().call_soon(lambda: self._record_read(run, instance.aqueue.qsize(), by))
        else:
            self._record_read(run, _clear(instance.queue), by)

    def write(self, span: str | None, piece: str) -> None:
        """A piece was put where the reader of a chat engine's response takes it."""
        with self._lock.get():
            run = self.open.get(self.roots.get(span or "", ""))
            if run is not None:
                run.pieces.append(piece)

    def hear(self, span: str | None, text: str, is_over: bool) -> None:
        """A model that was called alone streamed this text so far."""
        with self._lock.get():
            run = self.open.get(span or "")
            if run is not None and run.pending is not None:
                run.said = text or run.said
                if is_over:
                    self._finish(str(span), run.said, None)

    def abandon(self, span: str | None, error: BaseException) -> None:
        """The stream of a model ended before its time. What the caller closed has been read."""
        with self._lock.get():
            run = self.open.get(span or "")
            if run is not None and run.pending is not None:
                self._finish(str(span), run.said, None, ended_by(error))

    def _end_root(self, root: str, run: Run, result: Any) -> None:
        if isinstance(result, StreamingAgentChatResponse) and result.exception is not None:
            # Its writer was faster than this call: the reader gets the error and no piece.
            del self.open[root]
        elif isinstance(result, StreamingAgentChatResponse) and not result.is_done:
            run.pending = result
        elif isinstance(result, StreamingResponse):
            result.response_gen = self._tee(root, self.open.pop(root), result, result.response_gen)
        elif isinstance(result, AsyncStreamingResponse):
            result.response_gen = self._atee(root, self.open.pop(root), result, result.response_gen)
        elif hasattr(result, "send") or hasattr(result, "asend"):
            run.pending = root
            # Nobody may ever read it.
            weakref.finalize(result, self.abandon, root, GeneratorExit())
        else:
            is_streamed = isinstance(result, StreamingAgentChatResponse)
            self._finish(root, result.response if is_streamed else answer_of(result), result)

    def _tee(self, root: str, run: Run, response: Any, items: Iterator[str]) -> Iterator[str]:
        read: list[str] = []
        by: EndedBy | None = None
        try:
            while True:
                with _within(root):
                    text = next(items, None)
                if text is None:
                    return
                read.append(text)
                yield text
        except BaseException as error:
            by = ended_by(error)
            raise
        finally:
            self._record(run, "".join(read), response, by)

    async def _atee(self, root: str, run: Run, response: Any, items: AsyncIterator[str]) -> AsyncIterator[str]:
        read: list[str] = []
        by: EndedBy | None = None
        try:
            while True:
                with _within(root):
                    text = await anext(items, None)
                if text is None:
                    return
                read.append(text)
                yield text
        except BaseException as error:
            by = ended_by(error)
            raise
        finally:
            self._record(run, "".join(read), response, by)

    def _finish(self, root: str, answer: str, result: Any, by: EndedBy | None = None) -> None:
        self._record(self.open.pop(root), answer, result, by)

    def _record_read(self, run: Run, left: int, by: EndedBy) -> None:
        """Records what was taken of the pieces of a response that broke. The error was put as one more of them."""
        put = len(run.pieces) + (run.pending.exception is not None)
        self._record(run, "".join(run.pieces[: put - left]), run.pending, by)

    def _record(self, run: Run, answer: str, result: Any, by: EndedBy | None = None) -> None:
        if run.question and answer:
            # What the answer says that it rests on, or else all that was found.
            nodes = nodes_of(result) or list(run.nodes.values())
            refs: dict[str, Any] = {"source_refs": [source_of(node) for node in nodes] or None}
            if by is not None:
                refs["semantic_refs"] = [part_ref(by)]
            self.evidence.observe_answer(run.question, answer, **refs)


@contextmanager
def _within(span: str) -> Iterator[None]:
    """A stream calls models when it is read, which is after its call: these calls are no requests of their own."""
    token = active_span_id.set(span)
    try:
        yield
    finally:
        active_span_id.reset(token)


def _clear(pieces: Queue[str]) -> int:
    """
    Empties the queue of a response that broke, and returns how many were in it. The reader is told of the error before
    it takes another, unless it has just looked: so that it is known what it took.
    """
    count = 0
    with suppress(Empty):
        while True:
            pieces.get_nowait()
            count += 1
    return count


class CallHandler(BaseSpanHandler[BaseSpan]):
    """Is told of each call."""

    _runs: Runs = PrivateAttr()

    def __init__(self, runs: Runs) -> None:
        super().__init__()
        self._runs = runs

    def new_span(
        self,
        id_: str,
        bound_args: BoundArguments,
        instance: Any = None,
        parent_span_id: str | None = None,
        tags: dict[str, Any] | None = None,
        **_: Any,
    ) -> BaseSpan | None:
        self._runs.begin(id_, parent_span_id, bound_args)
        return None

    def prepare_to_exit_span(
        self, id_: str, bound_args: BoundArguments, instance: Any = None, result: Any = None, **_: Any
    ) -> BaseSpan | None:
        self._runs.end(id_, instance, result)
        return None

    def prepare_to_drop_span(
        self, id_: str, bound_args: BoundArguments, instance: Any = None, err: BaseException | None = None, **_: Any
    ) -> BaseSpan | None:
        self._runs.drop(id_, instance, err)
        return None


class StreamHandler(BaseEventHandler):
    """Is told of the streams of models."""

    _runs: Runs = PrivateAttr()

    def __init__(self, runs: Runs) -> None:
        super().__init__()
        self._runs = runs

    def handle(self, event: BaseEvent, **_: Any) -> None:
        if isinstance(event, LLMChatInProgressEvent | LLMCompletionInProgressEvent):
            self._runs.hear(event.span_id, answer_of(event.response), False)
        elif isinstance(event, LLMChatEndEvent | LLMCompletionEndEvent):
            self._runs.hear(event.span_id, answer_of(event.response), True)
        elif isinstance(event, StreamChatDeltaReceivedEvent):
            self._runs.write(event.span_id, event.delta)
        elif isinstance(event, ExceptionEvent):
            self._runs.abandon(event.span_id, event.exception)


def is_writer(span: str) -> bool:
    """Whether this call writes a streamed response of a chat engine."""
    return span.rpartition(".")[2].split("-")[0] in WRITERS
