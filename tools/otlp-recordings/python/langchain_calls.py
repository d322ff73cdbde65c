"""Chains, agents and graphs of LangChain and LangGraph, for the instrumentations of them."""

import langchain_ends_calls
from langchain_parts import Shelf, model, tool


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


def retrieve_for(variable, asked):
    from langchain_core.output_parsers import StrOutputParser
    from langchain_core.prompts import ChatPromptTemplate
    from langchain_core.runnables import RunnablePassthrough

    said = [("system", "SECRET prompt"), ("user", f"From {{context}}\n\n{{{variable}}}")]
    given = {"context": Shelf() | (lambda found: found[0].page_content), variable: RunnablePassthrough()}
    (given | ChatPromptTemplate.from_messages(said) | model() | StrOutputParser()).invoke(asked)


def retrieval():
    retrieve_for("question", "Q retrieval")


def retrieval_of_topic():
    retrieve_for("topic", "Q topic")


def graph_with_retrieval():
    from typing import TypedDict

    from langgraph.graph import END, START, StateGraph

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


def batched():
    from langchain_core.prompts import ChatPromptTemplate

    prompt = ChatPromptTemplate.from_messages([("system", "SECRET prompt"), ("user", "{question}")])
    (prompt | model()).batch([{"question": "Q one"}, {"question": "Q two"}])


def structured():
    from pydantic import BaseModel

    class final_result(BaseModel):
        text: str
        stars: int

    model().with_structured_output(final_result, method="function_calling").invoke(
        [("system", "SECRET prompt"), ("user", "Q structured")]
    )


def retrieval_by_tool():
    from langchain.agents import create_agent
    from langchain_core.tools import tool as make_tool

    @make_tool
    def lookup_shelf(word: str) -> str:
        """Looks returns up."""
        return Shelf().invoke(word)[0].page_content

    create_agent(model(), [lookup_shelf], system_prompt="SECRET prompt").invoke(
        {"messages": [("user", "Q TOOL shelf")]}
    )


def retrieval_in_system_prompt():
    from langchain_core.runnables import RunnableLambda

    def reply(given):
        found = Shelf().invoke(given["question"])
        said = [("system", f"SECRET prompt {found[0].page_content}"), ("user", given["question"])]
        return {"answer": model().invoke(said).content, "context": found}

    RunnableLambda(reply).invoke({"question": "Q system"})


def retrieval_in_message():
    from langchain_core.runnables import RunnableLambda

    def reply(given):
        found = Shelf().invoke(given)
        return model().invoke(f"SECRET prompt: {found[0].page_content}\n\nQuestion: {given}").content

    RunnableLambda(reply).invoke("Q message")


def retrieval_of_rephrased():
    from langchain_core.output_parsers import StrOutputParser
    from langchain_core.prompts import ChatPromptTemplate, MessagesPlaceholder
    from langchain_core.runnables import RunnablePassthrough

    history = MessagesPlaceholder("chat_history")
    rephrase = (
        ChatPromptTemplate.from_messages([("system", "SECRET rephrase"), history, ("user", "{input}")])
        | model()
        | StrOutputParser()
    )
    said = ChatPromptTemplate.from_messages([("system", "SECRET {context}"), history, ("user", "{input}")])
    chain = RunnablePassthrough.assign(context=rephrase | Shelf()) | RunnablePassthrough.assign(
        answer=said | model() | StrOutputParser()
    )
    chain.invoke({"input": "Q rephrased", "chat_history": [("user", "Q first"), ("ai", "A first")]})


def supervised():
    from langchain.agents import create_agent
    from langgraph.graph import END, START, MessagesState, StateGraph
    from langgraph.types import Command

    def route(state):
        said = model().invoke([("system", "SECRET route"), ("user", "SECRET which of them?")])
        return Command(goto="expert" if said.content else END)

    graph = StateGraph(MessagesState)
    graph.add_node("route", route, destinations=("expert",))
    graph.add_node("expert", create_agent(model(), [tool()], system_prompt="SECRET prompt"))
    graph.add_edge(START, "route")
    graph.compile().invoke({"messages": [("user", "Q TOOL supervised")]})


def agent_as_tool():
    from langchain.agents import create_agent
    from langchain_core.tools import tool as make_tool

    expert = create_agent(model(), [], system_prompt="SECRET expert")

    @make_tool
    def lookup_expert(word: str) -> str:
        """Asks an expert."""
        return expert.invoke({"messages": [("user", f"Q inner {word}")]})["messages"][-1].content

    create_agent(model(), [lookup_expert], system_prompt="SECRET prompt").invoke(
        {"messages": [("user", "Q TOOL outer")]}
    )


RUNS = (
    chain_of_text,
    chain_of_dict,
    agent_with_history,
    agent_with_memory,
    agent_streamed,
    retrieval,
    retrieval_of_topic,
)
RUNS += (graph_with_retrieval, batched, structured, retrieval_by_tool, retrieval_in_system_prompt)
RUNS += (retrieval_in_message, retrieval_of_rephrased, supervised, agent_as_tool)
SCENARIOS = {run.__name__: run for run in (*RUNS, *langchain_ends_calls.RUNS)}
