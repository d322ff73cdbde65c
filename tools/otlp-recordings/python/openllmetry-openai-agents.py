# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "openai-agents==0.24.0",
#   "opentelemetry-instrumentation-openai-agents==0.62.4",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
from openai_agents_calls import SCENARIOS
from recorded import open_provider, run

provider = open_provider()
# docs: begin
from opentelemetry.instrumentation.openai_agents import OpenAIAgentsInstrumentor

OpenAIAgentsInstrumentor().instrument(tracer_provider=provider)
# docs: end
run(provider, SCENARIOS)
