# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "dspy==3.4.1",
#   "traceai-dspy==0.1.8",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
from recorded import open_provider, run

provider = open_provider()
# docs: begin
from traceai_dspy import DSPyInstrumentor

DSPyInstrumentor().instrument(tracer_provider=provider)
# docs: end
import dspy_calls

run(provider, vars(dspy_calls))
