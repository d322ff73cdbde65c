# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "haystack-ai==3.4.1",
#   "opentelemetry-haystack==2.0.0",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
from recorded import open_provider, run

provider = open_provider()
# docs: begin
from haystack import tracing
from haystack_integrations.tracing.opentelemetry import OpenTelemetryTracer
from opentelemetry import trace

tracing.tracer.is_content_tracing_enabled = True
tracing.enable_tracing(OpenTelemetryTracer(trace.get_tracer("haystack")))
# docs: end
import haystack_calls

run(provider, vars(haystack_calls))
