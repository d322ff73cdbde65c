# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "mlflow==3.17.2",
#   "haystack-ai==2.31.0",
#   "opentelemetry-exporter-otlp==1.45.2",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
# Stays below: haystack-ai 3
from mlflow_recorded import run

# docs: begin
import mlflow

mlflow.haystack.autolog()
# docs: end
import haystack_calls

run(vars(haystack_calls))
