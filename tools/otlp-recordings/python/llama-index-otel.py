# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "llama-index-observability-otel==0.7.0",
#   "llama-index-core==0.14.25",
#   "llama-index-llms-openai==0.8.3",
#   "llama-index-embeddings-openai==0.7.0",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
from recorded import run

# docs: begin
from llama_index.observability.otel import LlamaIndexOpenTelemetry
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter

instrumentor = LlamaIndexOpenTelemetry(service_name_or_resource="support-bot", span_exporter=OTLPSpanExporter())
# docs: end
from llama_index_calls import SCENARIOS
from opentelemetry import trace


def registered(scenario):
    """Its threads do not outlive a fork."""

    def go():
        # docs: begin
        instrumentor.start_registering()
        # docs: end
        scenario()
        trace.get_tracer_provider().force_flush()

    return go


run(None, {name: registered(scenario) for name, scenario in SCENARIOS.items()})
