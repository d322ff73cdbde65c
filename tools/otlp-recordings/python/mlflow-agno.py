# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "mlflow==3.17.2",
#   "agno==3.1.10",
#   "openinference-instrumentation-agno==1.0.15",
#   "opentelemetry-exporter-otlp==1.45.2",
#   "openai==3.57.0",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
import os

from recorded import run

os.environ["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"] = os.environ["OTEL_EXPORTER_OTLP_ENDPOINT"] + "/v1/traces"
# docs: begin
import mlflow

mlflow.agno.autolog()
# docs: end
import agno_calls


def flushed(scenario):
    def go():
        scenario()
        mlflow.flush_trace_async_logging()

    return go


run(None, {name: flushed(scenario) for name, scenario in vars(agno_calls).items() if callable(scenario)})
