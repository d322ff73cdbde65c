"""What a call of LlamaIndex asked and answered."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from llama_index.core.agent.workflow import AgentOutput
from llama_index.core.base.response.schema import PydanticResponse, Response
from llama_index.core.chat_engine.types import AgentChatResponse
from llama_index.core.llms import ChatMessage, ChatResponse, CompletionResponse
from llama_index.core.prompts import BasePromptTemplate
from llama_index.core.schema import NodeWithScore, QueryBundle
from llama_index.core.workflow import StartEvent, StopEvent

from .sources import document_source

QUESTIONS = ("str_or_query_bundle", "query_bundle", "query", "question", "message", "user_msg", "messages", "input")
ANSWERS = ("result", "answer", "response", "output", "text")
NAMES = ("title", "file_name", "source", "url")


def question_of(arguments: Mapping[str, Any]) -> str:
    """What a call was asked: the text of its query, message or prompt."""
    start = arguments.get("start_event")
    if isinstance(start, StartEvent):
        return question_of({name: getattr(start, name, None) for name in QUESTIONS})
    prompt = arguments.get("prompt")
    if isinstance(prompt, BasePromptTemplate):
        return str(prompt.format(**arguments.get("prompt_args", {})))
    # A method that is wrapped once more shows its arguments as `args` and `kwargs`.
    given = [*(arguments[name] for name in QUESTIONS if name in arguments), prompt, *arguments.get("args", ())[:1]]
    found = (asked_in(value) for value in given)
    text = next((text for text in found if text), "")
    return text or (question_of(arguments["kwargs"]) if arguments.get("kwargs") else "")


def asked_in(value: Any) -> str:
    """The text of a query, or of the last message of a user."""
    if isinstance(value, str):
        return value
    if isinstance(value, QueryBundle):
        return str(value.query_str)
    if isinstance(value, ChatMessage):
        return str(value.content or "")
    if isinstance(value, list | tuple):
        asked = [one for one in value if isinstance(one, ChatMessage) and one.role.value == "user"]
        return asked_in(asked[-1]) if asked else ""
    return ""


def unwrapped(result: Any) -> Any:
    """What a call returned: of a workflow, what it ended with."""
    if not isinstance(result, StopEvent):
        return result
    # An event of a class of its own has members instead.
    return next((value for name in ANSWERS if (value := getattr(result, name, None))), None)


def answer_of(result: Any) -> str:
    """The text that a person reads; empty for a result that is none, or that asks for tools."""
    if isinstance(result, str):
        return result
    if isinstance(result, Response | AgentChatResponse):
        return str(result.response or "")
    if isinstance(result, PydanticResponse):
        return "" if result.response is None else str(result.response.model_dump_json())
    if isinstance(result, CompletionResponse):
        return str(result.text)
    if isinstance(result, ChatResponse):
        return said_in(result.message)
    if isinstance(result, AgentOutput):
        return said_in(result.response)
    return said_in(result) if isinstance(result, ChatMessage) else ""


def said_in(message: ChatMessage) -> str:
    """The text of a message of a model; empty if it asks for tools."""
    asks_for_tools = any(getattr(block, "block_type", "") == "tool_call" for block in message.blocks)
    return "" if asks_for_tools or message.additional_kwargs.get("tool_calls") else str(message.content or "")


def nodes_of(result: Any) -> list[NodeWithScore]:
    """The passages that a call found, or that its answer rests on."""
    found = result if isinstance(result, list) else getattr(result, "source_nodes", None) or []
    return [node for node in found if isinstance(node, NodeWithScore)]


def source_of(found: NodeWithScore) -> dict[str, str]:
    """A passage as a source."""
    node = found.node
    return document_source(node.get_content(), node.metadata, NAMES, node.ref_doc_id or node.node_id)
