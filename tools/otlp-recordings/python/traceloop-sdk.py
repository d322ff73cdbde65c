# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "openai==3.54.0",
#   "traceloop-sdk==0.62.4",
#   "httpx==0.28.1",
#   "opentelemetry-sdk==1.45.1",
#   "opentelemetry-exporter-otlp-proto-http==1.45.1",
# ]
# ///
import os

from openai import OpenAI
from opentelemetry import trace
from recorded import run

# docs: begin
from traceloop.sdk import Traceloop
from traceloop.sdk.decorators import agent, workflow

Traceloop.init(app_name="support-bot", api_endpoint=os.environ["OTEL_EXPORTER_OTLP_ENDPOINT"], telemetry_enabled=False)
# docs: end


@workflow(name="ask")
def ask(question):
    reply = OpenAI().chat.completions.create(model="fake-model", messages=[{"role": "user", "content": question}])
    return reply.choices[0].message.content


def workflow_of_text():
    ask("Q workflow")


@workflow(name="ask")
def ask_about(topic, language, limit):
    messages = [{"role": "user", "content": f"Q {topic} in {language}"}]
    reply = OpenAI().chat.completions.create(model="fake-model", messages=messages)
    return {"status": "fine", "parts": [reply.choices[0].message.content], "limit": limit}


def workflow_of_arguments():
    ask_about("arguments", "English", 3)


class Helper:
    @agent(name="helper")
    def reply(self, message, context):
        messages = [{"role": "user", "content": message}]
        return OpenAI().chat.completions.create(model="fake-model", messages=messages).choices[0].message


def agent_of_message():
    Helper().reply("Q method", {"note": "SECRET note"})


run(trace.get_tracer_provider(), globals())
