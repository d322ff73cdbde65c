"""How runs of Pydantic AI end: with an object, after a refusal, with an error, at the second attempt."""

import asyncio

from pydantic import BaseModel
from pydantic_ai import (
    Agent,
    ImageUrl,
    ModelRetry,
    NativeOutput,
    PromptedOutput,
    ToolOutput,
    UnexpectedModelBehavior,
    UsageLimitExceeded,
)
from pydantic_ai.exceptions import ModelHTTPError
from pydantic_ai.messages import ModelRequest, ModelResponse, TextPart, UserPromptPart
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.usage import UsageLimits
from recorded import OUTPUT


class Reply(BaseModel):
    text: str
    stars: int


def helper(**options):
    return Agent(OpenAIChatModel("fake-model"), instructions="SECRET prompt", name="helper", **options)


def with_tool(**options):
    asked = helper(**options)

    @asked.tool_plain
    def lookup(word: str) -> str:
        """Looks a word up."""
        return OUTPUT

    return asked


def structured_after_tool():
    with_tool(output_type=Reply).run_sync("Q TOOL structured")


def structured_of_two():
    class Question(BaseModel):
        text: str

    helper(output_type=[ToolOutput(Reply, name="reply"), ToolOutput(Question, name="ask")]).run_sync("Q union")


def structured_natively():
    helper(output_type=NativeOutput(Reply)).run_sync("Q native")


def structured_by_prompt():
    helper(output_type=PromptedOutput(Reply)).run_sync("Q prompted")


def structured_streamed():
    async def ask():
        async with helper(output_type=Reply).run_stream("Q structured stream") as result:
            async for _ in result.stream_output():
                pass

    asyncio.run(ask())


def structured_by_function():
    def reply(text: str, stars: int) -> str:
        """What is given back is the answer, not what the model wrote."""
        return f"REPLY<<{stars}>>"

    helper(output_type=reply).run_sync("Q function")


def answer_refused():
    """A validator refuses every answer."""
    asked = helper(retries=1)

    @asked.output_validator
    def check(said: str) -> str:
        raise ModelRetry("SECRET reason")

    try:
        asked.run_sync("Q refused")
    except UnexpectedModelBehavior:
        pass


def answer_refused_once():
    asked, seen = helper(retries=2), []

    @asked.output_validator
    def check(said: str) -> str:
        seen.append(said)
        if len(seen) == 1:
            raise ModelRetry("Say it again. Q second attempt")
        return said

    asked.run_sync("Q refused once")


def answer_changed():
    asked = helper()

    @asked.output_validator
    def check(said: str) -> str:
        return "I may not say that."

    asked.run_sync("Q changed")


def failed():
    try:
        with_tool().run_sync("Q TOOL SAYING FAIL agent")
    except ModelHTTPError:
        pass


def limit_exceeded():
    try:
        with_tool().run_sync("Q TOOL SAYING exceeded", usage_limits=UsageLimits(request_limit=1))
    except UsageLimitExceeded:
        pass


def retried():
    helper().run_sync("Q RETRY agent")


def tools_in_parallel():
    with_tool().run_sync("Q PARALLEL SAYING agent")


def parts_with_history():
    history = [ModelRequest(parts=[UserPromptPart("Q first")]), ModelResponse(parts=[TextPart("A first")])]
    helper().run_sync(
        ["Q parts", ImageUrl(url="https://example.com/SECRET.png"), "Q \u5199\u771f"], message_history=history
    )


def system_only():
    """Nobody asks: the instructions are all that the model is given."""
    helper().run_sync()


def delegated_in_parallel():
    outer, inner = helper(), Agent(OpenAIChatModel("fake-model"), instructions="SECRET expert", name="expert")

    @outer.tool_plain
    async def lookup(word: str) -> str:
        """Asks an expert."""
        return (await inner.run(f"Q inner {word}")).output

    outer.run_sync("Q PARALLEL delegated")


def approved():
    """A run ends with the tool that somebody must approve first; another one goes on with it."""
    from pydantic_ai import DeferredToolRequests, DeferredToolResults

    asked = helper(output_type=[str, DeferredToolRequests])

    @asked.tool_plain(requires_approval=True)
    def lookup(word: str) -> str:
        """Looks a word up."""
        return OUTPUT

    waiting = asked.run_sync("Q TOOL SAYING approved")
    approvals = {call.tool_call_id: True for call in waiting.output.approvals}
    asked.run_sync(
        message_history=waiting.all_messages(), deferred_tool_results=DeferredToolResults(approvals=approvals)
    )


RUNS = (
    structured_after_tool,
    structured_of_two,
    structured_natively,
    structured_by_prompt,
    structured_streamed,
    structured_by_function,
)
RUNS += (
    answer_refused,
    answer_refused_once,
    answer_changed,
    failed,
    limit_exceeded,
    retried,
    tools_in_parallel,
    parts_with_history,
)
RUNS += (system_only, delegated_in_parallel, approved)
SCENARIOS = {run.__name__: run for run in RUNS}
