# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "mlflow==3.17.2",
#   "openai==3.54.0",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
import openai_calls
from mlflow_recorded import run
from openai import OpenAI
from recorded import OUTPUT

# docs: begin
import mlflow
from mlflow.entities import Document, SpanType

mlflow.openai.autolog()
# docs: end


def conversation():
    openai_calls.conversation()


def streamed():
    openai_calls.streamed()


def tool():
    openai_calls.tool()


@mlflow.trace(span_type=SpanType.RETRIEVER)
def shelf(query):
    return [
        Document(
            id="doc-1",
            page_content="DOCUMENT SECRET",
            metadata={"doc_uri": "https://example.com/returns", "score": 0.5},
        )
    ]


@mlflow.trace(span_type=SpanType.TOOL)
def lookup(word):
    return OUTPUT


@mlflow.trace
def ask(question):
    shelf(question)
    lookup("SECRET argument")
    messages = [{"role": "system", "content": "SECRET prompt"}, {"role": "user", "content": question}]
    return OpenAI().chat.completions.create(model="fake-model", messages=messages).choices[0].message.content


def traced():
    ask("Q traced")


run(globals())
