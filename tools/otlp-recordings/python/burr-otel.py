# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "apache-burr[opentelemetry]==0.43.0",
#   "openai==3.57.0",
#   "opentelemetry-instrumentation-openai==0.62.4",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
from openai import OpenAI
from recorded import HISTORY, LOOKUP, OUTPUT, open_provider, run

provider = open_provider()
# docs: begin
from burr.core import ApplicationBuilder, State, action
from burr.integrations.opentelemetry import OpenTelemetryBridge
from opentelemetry.instrumentation.openai import OpenAIInstrumentor

OpenAIInstrumentor().instrument(tracer_provider=provider)
hooks = OpenTelemetryBridge(tracer_name="support-bot")
# docs: end
SYSTEM = {"role": "system", "content": "SECRET prompt"}
TOOLS = [{"type": "function", "function": LOOKUP}]


@action(reads=["history"], writes=["history", "question"])
def take(state: State, question: str) -> State:
    return state.update(question=question).append(history={"role": "user", "content": question})


@action(reads=["history"], writes=["history", "answer"])
def reply(state: State) -> State:
    said = [SYSTEM, *state["history"]]
    asked = OpenAI().chat.completions.create(model="fake-model", messages=said, tools=TOOLS).choices[0].message
    if asked.tool_calls:
        result = {"role": "tool", "tool_call_id": "call-1", "content": OUTPUT}
        said = [*said, asked.model_dump(exclude_none=True), result]
        asked = OpenAI().chat.completions.create(model="fake-model", messages=said, tools=TOOLS).choices[0].message
    return state.update(answer=asked.content).append(history={"role": "assistant", "content": asked.content})


def answer(question, history=()):
    app = (
        ApplicationBuilder()
        .with_actions(take, reply)
        .with_transitions(("take", "reply"), ("reply", "take"))
        .with_state(history=list(history))
        .with_entrypoint("take")
        .with_hooks(hooks)
        .build()
    )
    app.run(halt_after=["reply"], inputs={"question": question})


def single():
    answer("Q single")


def conversation():
    answer("Q last", HISTORY)


def agent():
    answer("Q TOOL agent", HISTORY)


run(provider, globals())
