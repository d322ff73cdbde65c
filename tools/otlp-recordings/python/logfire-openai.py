# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "openai==3.54.0",
#   "logfire==5.2.0",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
from opentelemetry import trace

# docs: begin
import logfire

logfire.configure(service_name="support-bot", send_to_logfire=False)
logfire.instrument_openai()
# docs: end
from openai_calls import SCENARIOS, streamed, tool
from recorded import run


def request():
    with logfire.span("request"):
        tool()


def request_streamed():
    with logfire.span("request"):
        streamed()


run(trace.get_tracer_provider(), {**SCENARIOS, "request": request, "request_streamed": request_streamed})
