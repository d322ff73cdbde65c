# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "together==1.5.35",
#   "opentelemetry-instrumentation-together==0.62.4",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
# Stays below: together 2
from recorded import open_provider, run

provider = open_provider()
# docs: begin
from opentelemetry.instrumentation.together import TogetherAiInstrumentor

TogetherAiInstrumentor().instrument(tracer_provider=provider)
# docs: end
from together_calls import SCENARIOS

run(provider, SCENARIOS)
