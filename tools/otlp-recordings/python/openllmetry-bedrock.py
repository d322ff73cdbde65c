# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "boto3==1.44.5",
#   "opentelemetry-instrumentation-bedrock==0.62.4",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
from bedrock_calls import SCENARIOS
from recorded import open_provider, run

provider = open_provider()
# docs: begin
from opentelemetry.instrumentation.bedrock import BedrockInstrumentor

BedrockInstrumentor().instrument(tracer_provider=provider)
# docs: end
run(provider, SCENARIOS)
