# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "ag2[openai]==0.14.0",
#   "openinference-instrumentation-ag2==0.1.12",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
# Stays below: ag2[openai] 1
from recorded import open_provider, run

provider = open_provider()
# docs: begin
from openinference.instrumentation.ag2 import AG2Instrumentor

AG2Instrumentor().instrument(tracer_provider=provider)
# docs: end
from ag2_calls import make

run(provider, make())
