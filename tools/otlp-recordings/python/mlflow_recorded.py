"""What the programs with MLflow share: where it exports to, and the end of what it sends in the background."""

import os

from recorded import run as run_each

os.environ["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"] = os.environ["OTEL_EXPORTER_OTLP_ENDPOINT"] + "/v1/traces"


def run(scenarios):
    import mlflow

    run_each(None, scenarios)
    mlflow.flush_trace_async_logging()
