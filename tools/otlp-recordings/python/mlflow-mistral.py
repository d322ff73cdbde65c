# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "mlflow==3.17.2",
#   "mistralai==3.7.0",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
import os

from recorded import run

os.environ["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"] = os.environ["OTEL_EXPORTER_OTLP_ENDPOINT"] + "/v1/traces"
# docs: begin
import mlflow

mlflow.mistral.autolog()
# docs: end
from mistral_calls import SCENARIOS


def flushed(scenario):
    def go():
        scenario()
        mlflow.flush_trace_async_logging()

    return go


run(None, {name: flushed(scenario) for name, scenario in SCENARIOS.items() if callable(scenario)})
