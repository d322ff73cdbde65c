"""Calls of the models of Vertex AI by its older SDK, for the instrumentations of it."""

import os

import vertexai
from google.auth.credentials import AnonymousCredentials
from recorded import LOOKUP, OUTPUT
from vertexai.generative_models import Content, FunctionDeclaration, GenerativeModel, Part, Tool

vertexai.init(
    project="project",
    location="us-central1",
    api_endpoint=os.environ["MODEL_URL"],
    api_transport="rest",
    credentials=AnonymousCredentials(),
)


def model(**options):
    return GenerativeModel("fake-model", system_instruction="SECRET prompt", **options)


def single():
    model().generate_content("Q single")


def conversation():
    said = [Content(role="user", parts=[Part.from_text("Q first")])]
    said.append(Content(role="model", parts=[Part.from_text("A first")]))
    model().generate_content([*said, Content(role="user", parts=[Part.from_text("Q last")])])


def chat():
    chat = model().start_chat()
    chat.send_message("Q first")
    chat.send_message("Q second")


def streamed():
    for _ in model().generate_content("Q streamed", stream=True):
        pass


def tool():
    lookup = FunctionDeclaration(**LOOKUP)
    chat = model(tools=[Tool(function_declarations=[lookup])]).start_chat()
    chat.send_message("Q TOOL call")
    chat.send_message(Part.from_function_response(name="lookup", response={"content": OUTPUT}))


SCENARIOS = {run.__name__: run for run in (single, conversation, chat, streamed, tool)}
