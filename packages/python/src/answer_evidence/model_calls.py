"""What a call of a model asked and answered. Responses are those of the official clients, whole or streamed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from .parts import EndedBy, part_ref
from .sources import cited_sources, member

SEARCHED = "web_search_tool_result"
# The calls of each package that answer a person, by the end of their path.
KINDS = {
    "openai": {"/chat/completions": "chat", "/responses": "responses"},
    "anthropic": {"/v1/messages": "messages"},
}
# What a response of the responses API says when it is over.
ENDED = ("completed", "incomplete")
PROVIDERS = {"openai": "openai", "anthropic": "anthropic"}

Found = tuple[str, str, dict[str, Any]]


@dataclass(frozen=True)
class ModelCall:
    """A request for an answer."""

    provider: str
    kind: str
    body: Mapping[str, Any]

    @classmethod
    def of(cls, home: str, options: Any) -> ModelCall | None:
        """The call of a request of the client; None for one that asks for something else, such as embeddings."""
        path, body = str(getattr(options, "url", "")).split("?")[0], getattr(options, "json_data", None)
        kind = next((kind for end, kind in KINDS[home].items() if path.endswith(end)), None)
        if kind is None or not isinstance(body, Mapping) or options.method.lower() != "post":
            return None
        return cls(PROVIDERS[home], kind, body)

    @property
    def question(self) -> str:
        """The last message of a user that has text."""
        given = self.body.get("input" if self.kind == "responses" else "messages")
        if isinstance(given, str):
            return given
        messages = [one for one in given or [] if isinstance(one, Mapping) and one.get("role") == "user"]
        texts = (text_of(message.get("content")) for message in reversed(messages))
        return next((text for text in texts if text), "")


@dataclass
class Choice:
    """One answer of a model, as far as it came."""

    text: list[str] = field(default_factory=list)
    asks_for_tools: bool = False
    finish_reason: str | None = None
    citations: list[Any] = field(default_factory=list)
    searched: list[Any] = field(default_factory=list)


class Answers:
    """Collects the answers of one call."""

    def __init__(self, call: ModelCall) -> None:
        self.call = call
        self.choices: dict[int, Choice] = {}
        self.response_id: str | None = None
        self.model: str | None = None

    def add_response(self, response: Any) -> None:
        """A whole response."""
        self._name(response)
        if self.call.kind == "chat":
            for choice in member(response, "choices") or []:
                self._add_chat(choice, member(choice, "message"))
        elif self.call.kind == "responses":
            self._add_output(response)
        else:
            self._finish(0, member(response, "stop_reason"))
            for block in member(response, "content") or []:
                self._add_block(block)

    def add_stream(self, items: Iterable[Any]) -> None:
        """The items of a stream, up to where it ended."""
        for item in items:
            if self.call.kind == "chat":
                self._name(item)
                for choice in member(item, "choices") or []:
                    self._add_chat(choice, member(choice, "delta"))
            else:
                self._add_event(item, member(item, "type"))

    def found(self, is_stream: bool = False, by: EndedBy | None = None) -> list[Found]:
        """
        Question, answer and further fields of each answer that a person may have read. In a stream one whose end did
        not come is marked as a part; `by` says who left it out, and is the error where nobody did.
        """
        answers = [choice for _, choice in sorted(self.choices.items()) if choice.text and not choice.asks_for_tools]
        parts = [[part_ref(by or "error")] if is_stream and choice.finish_reason is None else [] for choice in answers]
        return [
            (self.call.question, "".join(choice.text), self._fields(choice, part))
            for choice, part in zip(answers, parts, strict=True)
        ]

    def _fields(self, choice: Choice, part: list[dict[str, str]]) -> dict[str, Any]:
        ref = {
            "ref_type": "model",
            "provider": self.call.provider,
            "operation": "chat",
            "request_model": self.call.body.get("model"),
            "response_model": self.model,
            "finish_reasons": None if choice.finish_reason is None else [choice.finish_reason],
        }
        model = {name: value for name, value in ref.items() if value is not None}
        sources = cited_sources([*choice.citations, *choice.searched])
        return {
            "semantic_refs": [model, *part],
            "external_message_id": self.response_id,
            "source_refs": sources or None,
        }

    def _name(self, response: Any) -> None:
        self.response_id = member(response, "id") or self.response_id
        self.model = member(response, "model") or self.model

    def _choice(self, index: int) -> Choice:
        return self.choices.setdefault(index, Choice())

    def _finish(self, index: int, reason: str | None) -> None:
        choice = self._choice(index)
        choice.finish_reason = reason or choice.finish_reason

    def _add_chat(self, choice: Any, message: Any) -> None:
        index = member(choice, "index") or 0
        self._finish(index, member(choice, "finish_reason"))
        own = self._choice(index)
        # A refusal is what the person reads in place of an answer.
        own.text += [text for name in ("content", "refusal") if (text := member(message, name))]
        own.citations += member(message, "annotations") or []
        own.asks_for_tools = own.asks_for_tools or bool(member(message, "tool_calls"))

    def _add_output(self, response: Any) -> None:
        self._name(response)
        status = member(response, "status")
        self._finish(0, status if status in ENDED else None)
        own = self._choice(0)
        for item in member(response, "output") or []:
            if member(item, "type") == "message":
                parts = member(item, "content") or []
                own.text += [text for part in parts if (text := member(part, "text") or member(part, "refusal"))]
                own.citations += [one for part in parts for one in member(part, "annotations") or []]
            elif member(item, "type") in ("function_call", "custom_tool_call"):
                own.asks_for_tools = True
            # What a search found, where the request asked for it.
            own.searched += member(item, "results") or member(member(item, "action"), "sources") or []

    def _add_event(self, event: Any, kind: str | None) -> None:
        if kind in ("response.created", "message_start"):
            self._name(member(event, "response") or member(event, "message"))
        elif kind in ("response.output_text.delta", "response.refusal.delta"):
            self._choice(0).text.append(member(event, "delta"))
        elif kind == "response.output_text.annotation.added":
            self._choice(0).citations.append(member(event, "annotation"))
        elif kind in ("response.completed", "response.incomplete", "response.failed"):
            # It has everything, and what was streamed before it as well; one that failed may have nothing.
            said = self.choices.pop(0, Choice())
            self._add_output(member(event, "response"))
            if not self._choice(0).text:
                self._choice(0).text = said.text
        elif kind in ("content_block_start", "content_block_delta"):
            self._add_block(member(event, "content_block") or member(event, "delta"))
        elif kind == "message_delta":
            self._finish(0, member(member(event, "delta"), "stop_reason"))

    def _add_block(self, block: Any) -> None:
        own = self._choice(0)
        if member(block, "type") in ("text", "text_delta") and (text := member(block, "text")):
            own.text.append(text)
            own.citations += member(block, "citations") or []
        elif member(block, "type") == "citations_delta":
            own.citations.append(member(block, "citation"))
        elif member(block, "type") == SEARCHED and isinstance(member(block, "content"), list):
            own.searched += member(block, "content")
        elif member(block, "type") == "tool_use":
            own.asks_for_tools = True


def text_of(content: Any) -> str:
    """The text of a message: its text parts, joined by line feeds."""
    if isinstance(content, str):
        return content
    parts = [one for one in content or [] if isinstance(one, Mapping)]
    return "\n".join(part["text"] for part in parts if isinstance(part.get("text"), str))
