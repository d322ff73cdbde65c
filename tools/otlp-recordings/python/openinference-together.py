# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "together==3.1.1",
#   "openinference-instrumentation-together==0.1.13",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
from together_calls import SCENARIOS
from recorded import open_provider, run

provider = open_provider()
# docs: begin
from openinference.instrumentation.together import TogetherInstrumentor

TogetherInstrumentor().instrument(tracer_provider=provider)
# docs: end
run(provider, SCENARIOS)
