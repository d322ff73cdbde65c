# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "anthropic==2.12.0",
#   "opentelemetry-instrumentation-anthropic==0.62.4",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
from anthropic_calls import SCENARIOS
from recorded import open_provider, run

provider = open_provider()
# docs: begin
from opentelemetry.instrumentation.anthropic import AnthropicInstrumentor

AnthropicInstrumentor().instrument(tracer_provider=provider)
# docs: end
run(provider, SCENARIOS)
