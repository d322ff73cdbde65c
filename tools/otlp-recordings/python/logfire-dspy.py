# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "dspy==3.4.1",
#   "logfire[dspy]==5.4.0",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
from opentelemetry import trace
from recorded import run

# docs: begin
import logfire

logfire.configure(service_name="support-bot", send_to_logfire=False)
logfire.instrument_dspy()
# docs: end
import dspy_calls

run(trace.get_tracer_provider(), vars(dspy_calls))
