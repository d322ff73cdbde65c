# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "haystack-ai==2.31.0",
#   "openinference-instrumentation-haystack==0.1.46",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
# Stays below: haystack-ai 3
from recorded import open_provider, run

provider = open_provider()
# docs: begin
from openinference.instrumentation.haystack import HaystackInstrumentor

HaystackInstrumentor().instrument(tracer_provider=provider)
# docs: end
import haystack_calls

run(provider, vars(haystack_calls))
