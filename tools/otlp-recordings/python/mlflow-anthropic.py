# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "mlflow==3.17.2",
#   "anthropic==2.12.0",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
from mlflow_recorded import run

# docs: begin
import mlflow

mlflow.anthropic.autolog()
# docs: end
from anthropic_calls import SCENARIOS

run(SCENARIOS)
