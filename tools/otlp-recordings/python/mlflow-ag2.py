# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "mlflow==3.17.2",
#   "ag2[openai]==0.14.0",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
# Stays below: ag2[openai] 1
from mlflow_recorded import run

# docs: begin
import mlflow

mlflow.ag2.autolog()
# docs: end
from ag2_calls import make

run(make())
