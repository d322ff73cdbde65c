# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "mlflow==3.17.2",
#   "mistralai==3.7.0",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
from mlflow_recorded import run

# docs: begin
import mlflow

mlflow.mistral.autolog()
# docs: end
from mistral_calls import SCENARIOS

run(SCENARIOS)
