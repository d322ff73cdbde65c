# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "openai-agents==0.24.0",
#   "traceai-openai-agents==0.1.6",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
from openai_agents_calls import SCENARIOS
from recorded import open_provider, run

provider = open_provider()
# docs: begin
from traceai_openai_agents import OpenAIAgentsInstrumentor

OpenAIAgentsInstrumentor().instrument(tracer_provider=provider)
# docs: end
run(provider, SCENARIOS)
