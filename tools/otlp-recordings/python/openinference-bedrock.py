# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "boto3==1.44.5",
#   "openinference-instrumentation-bedrock==0.1.61",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
from bedrock_calls import SCENARIOS
from recorded import open_provider, run

provider = open_provider()
# docs: begin
from openinference.instrumentation.bedrock import BedrockInstrumentor

BedrockInstrumentor().instrument(tracer_provider=provider)
# docs: end
run(provider, SCENARIOS)
