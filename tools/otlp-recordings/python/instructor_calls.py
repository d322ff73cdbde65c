"""Objects that Instructor asks a model for."""

import instructor
from openai import OpenAI
from pydantic import BaseModel, field_validator
from recorded import HISTORY

SYSTEM = {"role": "system", "content": "SECRET prompt"}
MODEL = "fake-model"


class Reply(BaseModel):
    text: str
    stars: int


def ask(question, mode, model=Reply, **options):
    client = instructor.from_openai(OpenAI(), mode=mode)
    messages = [SYSTEM, *HISTORY, {"role": "user", "content": question}]
    return client.chat.completions.create(model=MODEL, response_model=model, messages=messages, **options)


def by_tool():
    ask("Q by tool", instructor.Mode.TOOLS)


def by_json():
    ask("Q by json", instructor.Mode.JSON)


def second_attempt():
    seen = []

    class Checked(Reply):
        @field_validator("text")
        @classmethod
        def check(cls, text):
            seen.append(text)
            if len(seen) == 1:
                raise ValueError("SECRET reason")
            return text

    ask("Q second attempt", instructor.Mode.TOOLS, Checked, max_retries=2)


def never_valid():
    class Checked(Reply):
        @field_validator("text")
        @classmethod
        def check(cls, text):
            raise ValueError("SECRET reason")

    try:
        ask("Q never valid", instructor.Mode.TOOLS, Checked, max_retries=1)
    except Exception:
        pass


SCENARIOS = {run.__name__: run for run in (by_tool, by_json, second_attempt, never_valid)}
