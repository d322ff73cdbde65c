# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "monocle-apptrace==0.8.15",
#   "openai==3.57.0",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
from recorded import run

# docs: begin
from monocle_apptrace.instrumentation.common.instrumentor import setup_monocle_telemetry
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace.export import BatchSpanProcessor

setup_monocle_telemetry(workflow_name="support-bot", span_processors=[BatchSpanProcessor(OTLPSpanExporter())])
# docs: end
from openai_calls import SCENARIOS
from opentelemetry import trace

run(trace.get_tracer_provider(), SCENARIOS)
