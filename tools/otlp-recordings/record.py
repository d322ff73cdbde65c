"""Runs one scenario with one real, unmodified instrumentation and keeps the OTLP requests that its exporter sends.

    python record.py INSTRUMENTATION SCENARIO FOLDER

The model is a server here that answers `ANSWER<<last user text>>`, and asks for the tool `lookup` first where that text
contains TOOL. Texts that no record may contain have the word SECRET in them.
"""

import json
import os
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path


class FakeModel(BaseHTTPRequestHandler):
    """`POST /v1/chat/completions` of the OpenAI API, whole and streamed."""

    protocol_version = "HTTP/1.1"

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        asked = [m for m in request["messages"] if m["role"] == "user"][-1]["content"]
        if isinstance(asked, list):
            asked = "".join(part.get("text", "") for part in asked)
        message = {"role": "assistant", "content": f"ANSWER<<{asked}>>"}
        reason = "stop"
        if "TOOL" in asked and request["messages"][-1]["role"] != "tool":
            call = {"name": "lookup", "arguments": '{"word": "SECRET argument"}'}
            message = {"role": "assistant", "content": None, "tool_calls": [{"id": "call-1", "type": "function", "function": call}]}
            reason = "tool_calls"
        common = {"id": "response-1", "created": 1767225600, "model": "fake-model"}
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        if request.get("stream"):
            delta = dict(message)
            for index, call in enumerate(delta.get("tool_calls", [])):
                call["index"] = index
            chunks = [{"delta": delta, "finish_reason": None}, {"delta": {}, "finish_reason": reason}]
            lines = [
                json.dumps({**common, "object": "chat.completion.chunk", "choices": [{"index": 0, **chunk}]})
                for chunk in chunks
            ]
            body = "".join(f"data: {line}\n\n" for line in [*lines, "[DONE]"]).encode()
            self.reply(body, "text/event-stream")
            return
        choice = {"index": 0, "message": message, "finish_reason": reason}
        self.reply(
            json.dumps({**common, "object": "chat.completion", "choices": [choice], "usage": usage}).encode(),
            "application/json",
        )

    def reply(self, body, content_type):
        self.send_response(200)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


REQUESTS = []


class Collector(BaseHTTPRequestHandler):
    """Takes OTLP requests as they come."""

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        REQUESTS.append((self.path.rsplit("/", 1)[-1], body))
        self.send_response(200)
        self.send_header("Content-Type", "application/x-protobuf")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


def serve(handler):
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}"


MODEL_URL = serve(FakeModel) + "/v1"
COLLECTOR_URL = serve(Collector)
os.environ.update(
    OTEL_SERVICE_NAME="support-bot",
    OPENAI_API_KEY="none",
    OPENAI_BASE_URL=MODEL_URL,
    LANGSMITH_TRACING="false",
    TRACELOOP_TELEMETRY="false",
    HTTP_PROXY="",
    HTTPS_PROXY="",
    http_proxy="",
    https_proxy="",
    NO_PROXY="127.0.0.1",
)


def open_provider():
    from opentelemetry import trace
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    provider = TracerProvider()
    exporter = OTLPSpanExporter(endpoint=f"{COLLECTOR_URL}/v1/traces")
    provider.add_span_processor(BatchSpanProcessor(exporter, schedule_delay_millis=600_000))
    trace.set_tracer_provider(provider)
    return provider


def use_openinference_langchain():
    from openinference.instrumentation.langchain import LangChainInstrumentor

    provider = open_provider()
    LangChainInstrumentor().instrument(tracer_provider=provider)
    return provider


def use_openllmetry_langchain():
    from opentelemetry.instrumentation.langchain import LangchainInstrumentor

    provider = open_provider()
    LangchainInstrumentor().instrument(tracer_provider=provider)
    return provider


def use_traceloop():
    from opentelemetry import trace
    from traceloop.sdk import Traceloop

    Traceloop.init(app_name="support-bot", api_endpoint=COLLECTOR_URL, disable_batch=False, telemetry_enabled=False)
    return trace.get_tracer_provider()


def model(**options):
    from langchain_openai import ChatOpenAI

    return ChatOpenAI(model="fake-model", base_url=MODEL_URL, api_key="none", **options)


def tool():
    from langchain_core.tools import tool as make_tool

    @make_tool
    def lookup(word: str) -> str:
        """Looks a word up."""
        return "TOOL OUTPUT SECRET"

    return lookup


def chain_of_text():
    from langchain_core.output_parsers import StrOutputParser

    (model() | StrOutputParser()).invoke("Q text")


def chain_of_dict():
    from langchain_core.prompts import ChatPromptTemplate

    prompt = ChatPromptTemplate.from_messages([("system", "SECRET prompt"), ("user", "{question} ({context})")])
    (prompt | model()).invoke({"question": "Q dict", "context": "some context"})


def agent_with_history():
    from langchain.agents import create_agent

    agent = create_agent(model(), [tool()], system_prompt="SECRET prompt")
    history = [("user", "Q first"), ("assistant", "A first"), ("user", "Q TOOL agent")]
    agent.invoke({"messages": history})


def agent_with_memory():
    from langchain.agents import create_agent
    from langgraph.checkpoint.memory import InMemorySaver

    agent = create_agent(model(), [tool()], system_prompt="SECRET prompt", checkpointer=InMemorySaver())
    config = {"configurable": {"thread_id": "1"}}
    agent.invoke({"messages": [("user", "Q first")]}, config)
    agent.invoke({"messages": [("user", "Q TOOL second")]}, config)


def agent_streamed():
    from langchain.agents import create_agent

    agent = create_agent(model(streaming=True), [tool()], system_prompt="SECRET prompt")
    for _ in agent.stream({"messages": [("user", "Q TOOL streamed")]}, stream_mode="messages"):
        pass


def graph_with_retrieval():
    from typing import TypedDict

    from langchain_core.documents import Document
    from langchain_core.retrievers import BaseRetriever
    from langgraph.graph import END, START, StateGraph

    class Shelf(BaseRetriever):
        def _get_relevant_documents(self, query, *, run_manager):
            return [Document(id="doc-1", page_content="DOCUMENT SECRET", metadata={"source": "returns.md", "score": 0.5})]

    class State(TypedDict):
        question: str
        documents: list
        generation: str

    def retrieve(state):
        return {"documents": Shelf().invoke(state["question"])}

    def generate(state):
        return {"generation": model().invoke([("user", state["question"])]).content}

    graph = StateGraph(State)
    graph.add_node("retrieve", retrieve)
    graph.add_node("generate", generate)
    graph.add_edge(START, "retrieve")
    graph.add_edge("retrieve", "generate")
    graph.add_edge("generate", END)
    graph.compile().invoke({"question": "Q graph"})


def workflow_of_text():
    from openai import OpenAI
    from traceloop.sdk.decorators import workflow

    @workflow(name="ask")
    def ask(question):
        client = OpenAI()
        reply = client.chat.completions.create(model="fake-model", messages=[{"role": "user", "content": question}])
        return reply.choices[0].message.content

    ask("Q workflow")


def workflow_of_arguments():
    from openai import OpenAI
    from traceloop.sdk.decorators import workflow

    @workflow(name="ask")
    def ask(topic, language, limit):
        client = OpenAI()
        messages = [{"role": "user", "content": f"Q {topic} in {language}"}]
        reply = client.chat.completions.create(model="fake-model", messages=messages)
        return {"status": "fine", "parts": [reply.choices[0].message.content], "limit": limit}

    ask("arguments", "English", 3)


INSTRUMENTATIONS = {
    "openinference-langchain": use_openinference_langchain,
    "openllmetry-langchain": use_openllmetry_langchain,
    "traceloop": use_traceloop,
}
LANGCHAIN = [chain_of_text, chain_of_dict, agent_with_history, agent_with_memory, agent_streamed, graph_with_retrieval]
SCENARIOS = {
    "openinference-langchain": LANGCHAIN,
    "openllmetry-langchain": LANGCHAIN,
    "traceloop": [workflow_of_text, workflow_of_arguments],
}


def main():
    instrumentation, name, folder = sys.argv[1:]
    provider = INSTRUMENTATIONS[instrumentation]()
    next(run for run in SCENARIOS[instrumentation] if run.__name__ == name)()
    provider.force_flush()
    time.sleep(0.2)
    place = Path(folder) / instrumentation
    place.mkdir(parents=True, exist_ok=True)
    for number, (signal, body) in enumerate(REQUESTS, 1):
        (place / f"{name}.{number}.{signal}.pb").write_bytes(body)
    print(f"{instrumentation} {name}: {len(REQUESTS)} requests, {sum(len(body) for _, body in REQUESTS)} bytes")


if __name__ == "__main__":
    if len(sys.argv) == 2 and sys.argv[1] == "list":
        print("\n".join(f"{name} {run.__name__}" for name, runs in SCENARIOS.items() for run in runs))
    else:
        main()
