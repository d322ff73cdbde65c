# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "openai==2.54.0",
#   "openlit==1.45.0",
#   "openinference-instrumentation-openlit==0.1.19",
#   "opentelemetry-sdk==1.45.1",
#   "opentelemetry-exporter-otlp-proto-http==1.45.1",
# ]
# ///
from opentelemetry import trace
from recorded import run

# docs: begin
import openlit
from openinference.instrumentation.openlit import OpenInferenceSpanProcessor

openlit.init(application_name="support-bot", disable_metrics=True, disable_events=True)
trace.get_tracer_provider().add_span_processor(OpenInferenceSpanProcessor())
# docs: end
from openai_calls import SCENARIOS

run(trace.get_tracer_provider(), SCENARIOS)
