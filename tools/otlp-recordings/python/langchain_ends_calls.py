"""How runs of LangChain and LangGraph end: with an object, a refusal, an error or a question, at the second attempt."""

import asyncio

from langchain.agents import create_agent
from langchain_parts import Shelf, model, tool
from pydantic import BaseModel


class Reply(BaseModel):
    """A reply."""

    text: str
    stars: int


def agent_structured():
    """The answer is the argument of a tool."""
    from langchain.agents.structured_output import ToolStrategy

    agent = create_agent(model(), [tool()], system_prompt="SECRET prompt", response_format=ToolStrategy(Reply))
    agent.invoke({"messages": [("user", "Q TOOL structured")]})


def agent_structured_by_provider():
    from langchain.agents.structured_output import ProviderStrategy

    agent = create_agent(model(), [tool()], system_prompt="SECRET prompt", response_format=ProviderStrategy(Reply))
    agent.invoke({"messages": [("user", "Q TOOL provided")]})


def structured_by_schema():
    from langchain_core.prompts import ChatPromptTemplate

    prompt = ChatPromptTemplate.from_messages([("system", "SECRET prompt"), ("user", "{question}")])
    (prompt | model().with_structured_output(Reply)).invoke({"question": "Q schema"})


def structured_by_call():
    from langchain_core.prompts import ChatPromptTemplate

    prompt = ChatPromptTemplate.from_messages([("system", "SECRET prompt"), ("user", "{question}")])
    (prompt | model().with_structured_output(Reply, method="function_calling")).invoke({"question": "Q called"})


def agent_failed():
    agent = create_agent(model(max_retries=0), [tool()], system_prompt="SECRET prompt")
    try:
        agent.invoke({"messages": [("user", "Q TOOL SAYING FAIL agent")]})
    except Exception:
        pass


def agent_exceeded():
    agent = create_agent(model(), [tool()], system_prompt="SECRET prompt")
    try:
        agent.invoke({"messages": [("user", "Q TOOL SAYING exceeded")]}, {"recursion_limit": 2})
    except Exception:
        pass


def chain_failed():
    """The model answers, and what comes after it fails."""
    from langchain_core.output_parsers import StrOutputParser
    from langchain_core.runnables import RunnableLambda

    def check(text):
        raise ValueError("SECRET reason")

    try:
        (model() | StrOutputParser() | RunnableLambda(check)).invoke("Q chain failed")
    except ValueError:
        pass


def agent_retried():
    create_agent(model(), [], system_prompt="SECRET prompt").invoke({"messages": [("user", "Q RETRY agent")]})


def fallback():
    from langchain_core.output_parsers import StrOutputParser

    chain = model(max_retries=0).with_fallbacks([model(max_retries=0)]) | StrOutputParser()
    chain.invoke([("system", "SECRET prompt"), ("user", "Q RETRY fallback")])


def agent_parallel():
    agent = create_agent(model(), [tool()], system_prompt="SECRET prompt")
    asyncio.run(agent.ainvoke({"messages": [("user", "Q PARALLEL SAYING agent")]}))


def agent_refused():
    """A middleware replaces the answer that the model gave."""
    from langchain.agents.middleware import after_agent
    from langchain_core.messages import AIMessage, RemoveMessage

    @after_agent
    def refuse(state, runtime):
        last = state["messages"][-1]
        return {"messages": [RemoveMessage(id=last.id), AIMessage("I may not say that.")]}

    create_agent(model(), [], system_prompt="SECRET prompt", middleware=[refuse]).invoke(
        {"messages": [("user", "Q refused")]}
    )


def agent_of_parts():
    said = [
        {"type": "text", "text": "Q parts"},
        {"type": "image_url", "image_url": {"url": "https://example.com/SECRET.png"}},
    ]
    create_agent(model(), [], system_prompt="SECRET prompt").invoke({"messages": [{"role": "user", "content": said}]})


def agent_empty():
    create_agent(model(), [], system_prompt="SECRET prompt").invoke({"messages": [("user", "Q EMPTY agent")]})


def agent_interrupted():
    """A person must approve the tool first, and does later."""
    from langchain.agents.middleware import HumanInTheLoopMiddleware
    from langgraph.checkpoint.memory import InMemorySaver
    from langgraph.types import Command

    ask = HumanInTheLoopMiddleware(interrupt_on={"lookup": True})
    agent = create_agent(
        model(), [tool()], system_prompt="SECRET prompt", middleware=[ask], checkpointer=InMemorySaver()
    )
    config = {"configurable": {"thread_id": "1"}}
    agent.invoke({"messages": [("user", "Q TOOL SAYING approved")]}, config)
    agent.invoke(Command(resume={"decisions": [{"type": "approve"}]}), config)


def mapped():
    """An answer from answers about each document."""
    from langchain_core.output_parsers import StrOutputParser
    from langchain_core.runnables import RunnableLambda

    reply = model() | StrOutputParser()

    def summarize(asked):
        parts = reply.batch([f"Q part {n} {found.page_content}" for n, found in enumerate(Shelf().invoke(asked) * 2)])
        return reply.invoke([("system", f"SECRET {parts}"), ("user", asked)])

    RunnableLambda(summarize).invoke("Q mapped")


def retrieval_of_many_lines():
    """A question of several lines, and documents in the system prompt."""
    from langchain_core.output_parsers import StrOutputParser
    from langchain_core.prompts import ChatPromptTemplate
    from langchain_core.runnables import RunnablePassthrough

    said = ChatPromptTemplate.from_messages([("system", "SECRET {context}"), ("user", "{question}")])
    given = {"context": Shelf() | (lambda found: found[0].page_content), "question": RunnablePassthrough()}
    (given | said | model() | StrOutputParser()).invoke("Q lines:\n1. Wie lange?\n2. \u3044\u304f\u3089\uff1f")


def parallel_answers():
    from langchain_core.output_parsers import StrOutputParser
    from langchain_core.runnables import RunnableParallel

    RunnableParallel(short=model() | StrOutputParser(), long=model() | StrOutputParser()).invoke("Q both")


def events_streamed():
    async def ask():
        agent = create_agent(model(), [tool()], system_prompt="SECRET prompt")
        async for _ in agent.astream_events({"messages": [("user", "Q TOOL events")]}, version="v2"):
            pass

    asyncio.run(ask())


def evaluated():
    """A model grades what another call wrote; the state has the text, and not the grade as a whole."""
    from typing import TypedDict

    from langgraph.graph import END, START, StateGraph

    class State(TypedDict):
        topic: str
        draft: str
        remark: str

    def write(state):
        return {"draft": model().invoke(f"Q draft about {state['topic']}").content}

    def grade(state):
        said = [("system", "SECRET prompt"), ("user", f"Q grade {state['draft']}")]
        return {"remark": model().with_structured_output(Reply).invoke(said).text[:1]}

    graph = StateGraph(State)
    graph.add_node("write", write)
    graph.add_node("grade", grade)
    graph.add_edge(START, "write")
    graph.add_edge("write", "grade")
    graph.add_edge("grade", END)
    graph.compile().invoke({"topic": "Q evaluated"})


def draft_approved():
    """A person is shown a draft first, and changes it."""
    from typing import TypedDict

    from langgraph.checkpoint.memory import InMemorySaver
    from langgraph.graph import END, START, StateGraph
    from langgraph.types import Command, interrupt

    class State(TypedDict):
        question: str
        draft: str
        answer: str

    def write(state):
        return {"draft": model().invoke([("system", "SECRET prompt"), ("user", state["question"])]).content}

    graph = StateGraph(State)
    graph.add_node("write", write)
    graph.add_node("review", lambda state: {"answer": interrupt({"draft": state["draft"]})})
    graph.add_edge(START, "write")
    graph.add_edge("write", "review")
    graph.add_edge("review", END)
    app = graph.compile(checkpointer=InMemorySaver())
    config = {"configurable": {"thread_id": "1"}}
    app.invoke({"question": "Q draft"}, config)
    app.invoke(Command(resume="A person's words."), config)


RUNS = (
    agent_structured,
    agent_structured_by_provider,
    structured_by_schema,
    structured_by_call,
    agent_failed,
    agent_exceeded,
)
RUNS += (
    chain_failed,
    agent_retried,
    fallback,
    agent_parallel,
    agent_refused,
    agent_of_parts,
    agent_empty,
    agent_interrupted,
)
RUNS += (mapped, retrieval_of_many_lines, parallel_answers, events_streamed, evaluated, draft_approved)
