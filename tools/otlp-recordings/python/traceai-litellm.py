# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "litellm==1.110.2",
#   "mcp==2.3.0",
#   "traceai-litellm==0.1.10",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
from recorded import open_provider, run

provider = open_provider()
# docs: begin
from traceai_litellm import LiteLLMInstrumentor

LiteLLMInstrumentor().instrument(tracer_provider=provider)
# docs: end
from litellm_calls import SCENARIOS

run(provider, SCENARIOS)
