# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "beeai-framework==0.1.85",
#   "openinference-instrumentation-beeai==0.1.30",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
from beeai_calls import SCENARIOS
from recorded import open_provider, run

provider = open_provider()
# docs: begin
from openinference.instrumentation.beeai import BeeAIInstrumentor

BeeAIInstrumentor().instrument(tracer_provider=provider)
# docs: end
run(provider, SCENARIOS)
