"""Calls of the Google GenAI client, for the instrumentations of it."""

import os

from google import genai
from google.genai import types
from recorded import LOOKUP, OUTPUT

CLIENT = genai.Client(api_key="none", http_options=types.HttpOptions(base_url=os.environ["MODEL_URL"]))


def say(role, text):
    return types.Content(role=role, parts=[types.Part(text=text)])


def config(**more):
    return types.GenerateContentConfig(system_instruction="SECRET prompt", **more)


def conversation():
    contents = [say("user", "Q first"), say("model", "A first"), say("user", "Q last")]
    CLIENT.models.generate_content(model="fake-model", contents=contents, config=config())


def streamed():
    for _ in CLIENT.models.generate_content_stream(model="fake-model", contents="Q streamed", config=config()):
        pass


def tool():
    declared = types.FunctionDeclaration(
        name="lookup", description=LOOKUP["description"], parameters_json_schema=LOOKUP["parameters"]
    )
    tools = [types.Tool(function_declarations=[declared])]
    contents = [say("user", "Q TOOL call")]
    asked = CLIENT.models.generate_content(model="fake-model", contents=contents, config=config(tools=tools))
    result = types.Part.from_function_response(name="lookup", response={"result": OUTPUT})
    contents += [asked.candidates[0].content, types.Content(role="user", parts=[result])]
    CLIENT.models.generate_content(model="fake-model", contents=contents, config=config(tools=tools))


def tool_run_by_client():
    def lookup(word: str) -> str:
        """Looks a word up."""
        return OUTPUT

    CLIENT.models.generate_content(model="fake-model", contents="Q TOOL automatic", config=config(tools=[lookup]))


SCENARIOS = {run.__name__: run for run in (conversation, streamed, tool, tool_run_by_client)}
