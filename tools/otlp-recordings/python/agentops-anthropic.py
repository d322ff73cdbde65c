# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "agentops==0.4.21",
#   "anthropic==2.14.0",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
import os

from recorded import run

# docs: begin
import agentops
from opentelemetry import trace
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace.export import BatchSpanProcessor

agentops.init(api_key="none", endpoint=os.environ["OTEL_EXPORTER_OTLP_ENDPOINT"], auto_start_session=False)
trace.get_tracer_provider().add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
# docs: end
import anthropic_calls

run(trace.get_tracer_provider(), vars(anthropic_calls))
