# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "boto3==1.44.8",
#   "traceai-bedrock==0.1.10",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
from recorded import open_provider, run

provider = open_provider()
# docs: begin
from traceai_bedrock import BedrockInstrumentor

BedrockInstrumentor().instrument(tracer_provider=provider)
# docs: end
from bedrock_calls import SCENARIOS

run(provider, SCENARIOS)
