"""Calls of the OpenAI client, for the instrumentations of it."""

import asyncio

from openai import APIError, AsyncOpenAI, OpenAI
from recorded import HISTORY, LOOKUP, OUTPUT

SYSTEM = {"role": "system", "content": "SECRET prompt"}
MODEL = "fake-model"


def conversation(client=None):
    messages = [SYSTEM, *HISTORY, {"role": "user", "content": "Q last"}]
    (client or OpenAI()).chat.completions.create(model=MODEL, messages=messages)


def parts(client=None):
    content = [
        {"type": "text", "text": "Q parts"},
        {"type": "image_url", "image_url": {"url": "https://example.com/a.png"}},
    ]
    (client or OpenAI()).chat.completions.create(model=MODEL, messages=[{"role": "user", "content": content}])


def streamed(client=None):
    messages = [SYSTEM, {"role": "user", "content": "Q streamed"}]
    options = {"stream_options": {"include_usage": True}}
    for _ in (client or OpenAI()).chat.completions.create(model=MODEL, messages=messages, stream=True, **options):
        pass


def tool(client=None):
    client = client or OpenAI()
    messages = [SYSTEM, {"role": "user", "content": "Q TOOL call"}]
    tools = [{"type": "function", "function": LOOKUP}]
    asked = client.chat.completions.create(model=MODEL, messages=messages, tools=tools).choices[0].message
    messages += [asked.model_dump(exclude_none=True), {"role": "tool", "tool_call_id": "call-1", "content": OUTPUT}]
    client.chat.completions.create(model=MODEL, messages=messages, tools=tools)


def responses(client=None):
    client = client or OpenAI()
    tools = [{"type": "function", **LOOKUP}]
    given = [*HISTORY, {"role": "user", "content": "Q TOOL responses"}]
    asked = client.responses.create(model=MODEL, instructions="SECRET prompt", input=given, tools=tools).output[0]
    result = {"type": "function_call_output", "call_id": "call-1", "output": OUTPUT}
    given += [asked.model_dump(exclude_none=True), result]
    client.responses.create(model=MODEL, instructions="SECRET prompt", input=given, tools=tools)


def ask(question, **options):
    return OpenAI(max_retries=0).chat.completions.create(
        model=MODEL, messages=[SYSTEM, *HISTORY, {"role": "user", "content": question}], **options
    )


def refused_by_model():
    ask("Q REFUSAL call")


def empty():
    ask("Q EMPTY call")


def several_choices():
    ask("Q choices", n=2)


def json_mode():
    ask("Q json", response_format={"type": "json_object"})


def structured():
    from pydantic import BaseModel

    class Reply(BaseModel):
        text: str
        stars: int

    OpenAI().chat.completions.parse(
        model=MODEL, messages=[SYSTEM, {"role": "user", "content": "Q structured"}], response_format=Reply
    )


def failed():
    try:
        ask("Q FAIL call")
    except APIError:
        pass


def retried():
    OpenAI().chat.completions.create(model=MODEL, messages=[SYSTEM, {"role": "user", "content": "Q RETRY call"}])


def concurrent():
    async def both():
        async with AsyncOpenAI() as client:
            asked = (
                client.chat.completions.create(
                    model=MODEL, messages=[SYSTEM, {"role": "user", "content": f"Q concurrent {n}"}]
                )
                for n in (1, 2)
            )
            await asyncio.gather(*asked)

    asyncio.run(both())


def streamed_in_part():
    """The person leaves before the answer is there as a whole."""

    async def ask_and_leave():
        async with AsyncOpenAI() as client:
            stream = await client.chat.completions.create(
                model=MODEL, messages=[SYSTEM, {"role": "user", "content": "Q left"}], stream=True
            )
            async for _ in stream:
                break
            await stream.close()

    asyncio.run(ask_and_leave())


def embeddings_only():
    OpenAI().embeddings.create(model="fake-embedding", input=["SECRET text", "SECRET other"])


def system_only():
    OpenAI().chat.completions.create(model=MODEL, messages=[SYSTEM])


def tools_in_parallel():
    client = OpenAI()
    messages = [SYSTEM, {"role": "user", "content": "Q PARALLEL SAYING \u8cea\u554f"}]
    tools = [{"type": "function", "function": LOOKUP}]
    asked = client.chat.completions.create(model=MODEL, messages=messages, tools=tools).choices[0].message
    results = [{"role": "tool", "tool_call_id": call.id, "content": OUTPUT} for call in asked.tool_calls]
    client.chat.completions.create(
        model=MODEL, messages=[*messages, asked.model_dump(exclude_none=True), *results], tools=tools
    )


def responses_streamed():
    given = {"model": MODEL, "instructions": "SECRET prompt", "input": "Q responses streamed"}
    for _ in OpenAI().responses.create(**given, stream=True):
        pass


def responses_of_parts():
    content = [
        {"type": "input_text", "text": "Q parts"},
        {"type": "input_image", "image_url": "https://example.com/SECRET.png"},
    ]
    OpenAI().responses.create(model=MODEL, instructions="SECRET prompt", input=[{"role": "user", "content": content}])


def responses_continued():
    client = OpenAI()
    first = client.responses.create(model=MODEL, instructions="SECRET prompt", input="Q first")
    client.responses.create(
        model=MODEL, instructions="SECRET prompt", input="Q continued", previous_response_id=first.id
    )


def responses_refused():
    OpenAI().responses.create(model=MODEL, instructions="SECRET prompt", input="Q REFUSAL response")


def responses_continued_by_tool():
    """The second call is given the result of a tool alone: the server knows what was asked."""
    from opentelemetry import trace

    client, tools = OpenAI(), [{"type": "function", **LOOKUP}]
    with trace.get_tracer("shop").start_as_current_span("POST /ask"):
        first = client.responses.create(model=MODEL, instructions="SECRET prompt", input="Q TOOL continued", tools=tools)
        result = {"type": "function_call_output", "call_id": "call-1", "output": OUTPUT}
        client.responses.create(
            model=MODEL, instructions="SECRET prompt", input=[result], previous_response_id=first.id, tools=tools
        )


RUNS = (
    conversation,
    parts,
    streamed,
    tool,
    responses,
    refused_by_model,
    empty,
    several_choices,
    json_mode,
    structured,
    failed,
    retried,
)
RUNS += (
    concurrent,
    streamed_in_part,
    embeddings_only,
    system_only,
    tools_in_parallel,
    responses_streamed,
    responses_of_parts,
)
RUNS += (responses_continued, responses_continued_by_tool, responses_refused)
SCENARIOS = {run.__name__: run for run in RUNS}
