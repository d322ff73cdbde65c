# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "crewai==1.15.30",
#   "openinference-instrumentation-crewai==1.1.21",
#   "openinference-instrumentation-openai==0.1.66",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
from recorded import open_provider, run

provider = open_provider()
# docs: begin
from openinference.instrumentation.crewai import CrewAIInstrumentor
from openinference.instrumentation.openai import OpenAIInstrumentor

CrewAIInstrumentor().instrument(tracer_provider=provider)
OpenAIInstrumentor().instrument(tracer_provider=provider)
# docs: end
import crewai_calls

run(provider, vars(crewai_calls))
