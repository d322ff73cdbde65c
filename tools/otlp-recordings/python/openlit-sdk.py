# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "openlit==1.45.0",
#   "opentelemetry-sdk==1.45.1",
#   "opentelemetry-exporter-otlp-proto-http==1.45.1",
# ]
# ///
"""The calls of the module that the command line names, before its scenarios."""

import sys
from importlib import import_module

from opentelemetry import trace
from recorded import run

# docs: begin
import openlit

openlit.init(application_name="support-bot", disable_metrics=True, disable_events=True)
# docs: end
calls = import_module(sys.argv.pop(1))
scenarios = calls.make() if hasattr(calls, "make") else {**vars(calls), **getattr(calls, "SCENARIOS", {})}
run(trace.get_tracer_provider(), scenarios)
