"""Agents of several that packages beside LangGraph build: deep agents, a supervisor, a swarm; and its functional API."""

from langchain_parts import Shelf, model, tool


def helper(name, *tools):
    from langchain.agents import create_agent

    return create_agent(model(), [tool(), *tools], system_prompt="SECRET prompt", name=name)


def deep_agent():
    from deepagents import create_deep_agent

    agent = create_deep_agent(model=model(), tools=[tool()], system_prompt="SECRET prompt")
    history = [("user", "Q first"), ("assistant", "A first"), ("user", "Q TOOL deep")]
    agent.invoke({"messages": history})


def supervisor():
    from langgraph_supervisor import create_supervisor

    graph = create_supervisor([helper("expert")], model=model(), prompt="SECRET prompt").compile()
    graph.invoke({"messages": [("user", "Q HANDOFF supervised")]})


def swarm():
    from langgraph.checkpoint.memory import InMemorySaver
    from langgraph_swarm import create_handoff_tool, create_swarm

    first = helper("first", create_handoff_tool(agent_name="second"))
    graph = create_swarm([first, helper("second")], default_active_agent="first")
    swarm = graph.compile(checkpointer=InMemorySaver())
    config = {"configurable": {"thread_id": "1"}}
    swarm.invoke({"messages": [("user", "Q HANDOFF swarm")]}, config)
    swarm.invoke({"messages": [("user", "Q TOOL next")]}, config)


def functional():
    from langgraph.func import entrypoint, task

    @task
    def find(question):
        return [found.page_content for found in Shelf().invoke(question)]

    @task
    def reply(question, found):
        return model().invoke([("system", f"SECRET {found}"), ("user", question)]).content

    @entrypoint()
    def answer(question: str) -> str:
        return reply(question, find(question).result()).result()

    answer.invoke("Q functional")


RUNS = (deep_agent, supervisor, swarm, functional)
SCENARIOS = {run.__name__: run for run in RUNS}
