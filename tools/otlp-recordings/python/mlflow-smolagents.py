# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "mlflow==3.17.2",
#   "smolagents[openai]==1.26.0",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
from mlflow_recorded import run

# docs: begin
import mlflow

mlflow.smolagents.autolog()
# docs: end
import smolagents_calls

run(vars(smolagents_calls))
