# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "openai-agents==0.24.0",
#   "weave==0.54.0",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
from openai_agents_calls import SCENARIOS
from recorded import open_provider, run

provider = open_provider()
# docs: begin
from agents import set_trace_processors
from weave.integrations.openai_agents.otel_processor import WeaveOtelTracingProcessor

set_trace_processors([WeaveOtelTracingProcessor()])
# docs: end
run(provider, SCENARIOS)
