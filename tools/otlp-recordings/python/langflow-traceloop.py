# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "langflow-base==1.13.0",
#   "langchain-openai==1.7.4",
#   "traceloop-sdk==0.62.4",
#   "opentelemetry-sdk==1.45.1",
#   "opentelemetry-exporter-otlp-proto-http==1.45.1",
# ]
# ///
import os

# docs: begin
os.environ["TRACELOOP_BASE_URL"] = os.environ["OTEL_EXPORTER_OTLP_ENDPOINT"]
os.environ["TRACELOOP_API_KEY"] = "none"
# docs: end
from langflow_calls import SCENARIOS
from recorded import run

run(None, SCENARIOS)
