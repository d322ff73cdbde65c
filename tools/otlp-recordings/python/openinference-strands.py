# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "strands-agents[openai]==1.62.0",
#   "openinference-instrumentation-strands-agents==0.1.12",
#   "opentelemetry-sdk==1.45.1",
#   "opentelemetry-exporter-otlp-proto-http==1.45.1",
# ]
# ///
from recorded import open_provider, run

provider = open_provider()
# docs: begin
from openinference.instrumentation.strands_agents import StrandsAgentsToOpenInferenceProcessor

provider.add_span_processor(StrandsAgentsToOpenInferenceProcessor())
# docs: end
import strands_calls

run(provider, vars(strands_calls))
