"""A flow of Langflow with a prompt and a model, for its integrations with tracers."""

import asyncio
import os
import tempfile

# Langflow opens a database, and makes its first user, before it runs a flow.
os.environ["LANGFLOW_CONFIG_DIR"] = tempfile.mkdtemp()
os.environ["LANGFLOW_DATABASE_URL"] = f"sqlite:///{tempfile.mkdtemp()}/flows.db"
os.environ["LANGFLOW_AUTO_LOGIN"] = "false"
os.environ["LANGFLOW_SUPERUSER"] = "admin"
os.environ["LANGFLOW_SUPERUSER_PASSWORD"] = "a-password-of-this-test"
os.environ["DO_NOT_TRACK"] = "true"

FLOW = "11111111-1111-1111-1111-111111111111"
USER = "22222222-2222-2222-2222-222222222222"


def build(question):
    from langchain_openai import ChatOpenAI
    from lfx.components.input_output import ChatInput, ChatOutput
    from lfx.components.models_and_agents import PromptComponent
    from lfx.custom.custom_component.component import Component
    from lfx.graph import Graph
    from lfx.io import MessageInput, Output
    from lfx.schema.message import Message

    class Model(Component):
        display_name = "Language Model"
        name = "LanguageModelComponent"
        trace_type = "llm"
        inputs = [MessageInput(name="input_value", display_name="Input")]
        outputs = [Output(display_name="Model Response", name="text_output", method="text_response")]

        async def text_response(self) -> Message:
            config = {"callbacks": self.get_langchain_callbacks(), "run_name": self.display_name}
            given = [("system", "SECRET prompt"), ("user", self.input_value.text)]
            return Message(text=(await ChatOpenAI(model="fake-model").ainvoke(given, config)).content)

    asked = ChatInput()
    asked.set(input_value=question, should_store_message=False)
    prompt = PromptComponent()
    prompt.set(template="SECRET template\n\nUser: {user_input}\n", user_input=asked.message_response)
    model = Model()
    model.set(input_value=prompt.build_prompt)
    answered = ChatOutput()
    answered.set(input_value=model.text_response, should_store_message=False)
    graph = Graph(start=asked, end=answered, flow_id=FLOW, flow_name="support", user_id=USER)
    graph.session_id = "session"
    return graph


def flow():
    async def ask():
        from langflow.processing.process import run_graph_internal
        from langflow.services.utils import initialize_services, teardown_services

        await initialize_services()
        await run_graph_internal(build("Q langflow"), FLOW, session_id="session", outputs=[])
        # Spans are made by a worker, which tells nobody when it is done.
        await asyncio.sleep(3)
        await teardown_services()

    asyncio.run(ask())


SCENARIOS = {"flow": flow}
