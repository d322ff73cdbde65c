# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "openai==3.54.0",
#   "openinference-instrumentation==0.1.72",
#   "openinference-instrumentation-openai==0.1.66",
#   "openinference-semantic-conventions==0.1.42",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
from openai import OpenAI
from recorded import OUTPUT, run

# docs: begin
from openinference.instrumentation import TracerProvider
from openinference.instrumentation.openai import OpenAIInstrumentor
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace.export import BatchSpanProcessor

provider = TracerProvider()
provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
OpenAIInstrumentor().instrument(tracer_provider=provider)
tracer = provider.get_tracer("support-bot")
# docs: end


@tracer.tool
def lookup(word: str):
    """Looks a word up."""
    return OUTPUT


def complete(question, system="SECRET prompt"):
    messages = [{"role": "system", "content": system}, {"role": "user", "content": question}]
    return OpenAI().chat.completions.create(model="fake-model", messages=messages).choices[0].message.content


@tracer.agent
def helper(question):
    lookup("SECRET argument")
    return complete(question)


@tracer.chain
def ask(question, notes):
    return {"reply": complete(question), "notes": notes}


def shelf(question):
    from openinference.semconv.trace import SpanAttributes as S

    with tracer.start_as_current_span("shelf", openinference_span_kind="retriever") as span:
        span.set_input(question)
        span.set_attribute(f"{S.RETRIEVAL_DOCUMENTS}.0.document.content", "DOCUMENT SECRET")
        span.set_attribute(f"{S.RETRIEVAL_DOCUMENTS}.0.document.metadata", '{"source": "returns.md"}')


def agent():
    helper("Q TOOL agent")


def chain():
    ask("Q chain", ["SECRET note"])


def retrieval():
    with tracer.start_as_current_span("request"):
        shelf("Q retrieval")
        complete("SECRET context: DOCUMENT SECRET\n\nQ retrieval")


run(provider, globals())
