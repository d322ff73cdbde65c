# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "openai==1.109.1",
#   "langtrace-python-sdk==3.8.21",
#   "importlib-metadata==10.2.0",
#   "setuptools==80.9.0",
#   "opentelemetry-sdk==1.45.1",
#   "opentelemetry-exporter-otlp-proto-http==1.45.1",
# ]
# ///
# Stays below: openai 2
from recorded import run

# docs: begin
from langtrace_python_sdk import langtrace
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter

langtrace.init(custom_remote_exporter=OTLPSpanExporter(), batch=True)
# docs: end
from openai_calls import SCENARIOS
from opentelemetry import trace

run(trace.get_tracer_provider(), SCENARIOS)
