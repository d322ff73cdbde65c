# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "agno==2.9.0",
#   "openai==3.54.0",
#   "openinference-instrumentation-agno==1.0.15",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
# Stays below: agno 3
from recorded import open_provider, run

provider = open_provider()
# docs: begin
from openinference.instrumentation.agno import AgnoInstrumentor

AgnoInstrumentor().instrument(tracer_provider=provider)
# docs: end
import agno_calls

run(provider, vars(agno_calls))
