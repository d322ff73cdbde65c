# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "dspy==3.4.1",
#   "opentelemetry-instrumentation-litellm==0.62.4",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
from recorded import open_provider, run

provider = open_provider()
# docs: begin
from opentelemetry.instrumentation.litellm import LiteLLMInstrumentor

LiteLLMInstrumentor().instrument(tracer_provider=provider)
# docs: end
import dspy_calls

run(provider, vars(dspy_calls))
