# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "haystack-ai==3.4.1",
#   "traceai-haystack==0.1.9",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
from recorded import open_provider, run

provider = open_provider()
# docs: begin
from traceai_haystack import HaystackInstrumentor

HaystackInstrumentor().instrument(tracer_provider=provider)
# docs: end
import haystack_calls

run(provider, vars(haystack_calls))
