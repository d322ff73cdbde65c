# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "agno==3.1.10",
#   "openai==3.54.0",
#   "opentelemetry-instrumentation-agno==0.62.4",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
from recorded import open_provider, run

provider = open_provider()
# docs: begin
from opentelemetry.instrumentation.agno import AgnoInstrumentor

AgnoInstrumentor().instrument(tracer_provider=provider)
# docs: end
import agno_calls

run(provider, vars(agno_calls))
