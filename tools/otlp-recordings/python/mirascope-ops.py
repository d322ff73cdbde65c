# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "mirascope[anthropic,google,openai,ops]==2.8.2",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
from recorded import OUTPUT, open_provider, run

provider = open_provider()
# docs: begin
from mirascope import llm, ops

ops.configure(tracer_provider=provider)
ops.instrument_llm()
# docs: end
MODEL = "openai/fake-model:completions"
SYSTEM = llm.messages.system("SECRET prompt")


@llm.tool
def lookup(word: str) -> str:
    """Looks a word up."""
    return OUTPUT


@llm.call(MODEL, tools=[lookup])
def reply(question: str):
    return [SYSTEM, llm.messages.user(question)]


@ops.trace
def answer(question: str) -> str:
    response = reply(question)
    while response.tool_calls:
        response = response.resume(response.execute_tools())
    return response.text()


def single():
    reply("Q single")


def conversation():
    said = [SYSTEM, llm.messages.user("Q first"), llm.messages.assistant("A first", model_id=None, provider_id=None)]
    llm.Model(MODEL).call([*said, llm.messages.user("Q last")])


def streamed():
    for _ in reply.stream("Q streamed").text_stream():
        pass


def tool():
    response = reply("Q TOOL call")
    while response.tool_calls:
        response = response.resume(response.execute_tools())


def agent():
    answer("Q TOOL agent")


run(provider, globals())
