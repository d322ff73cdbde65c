# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "instructor==1.17.0",
#   "openai==3.3.0",
#   "openinference-instrumentation-instructor==0.1.29",
#   "openinference-instrumentation-openai==0.1.66",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
from instructor_calls import SCENARIOS
from recorded import open_provider, run

provider = open_provider()
# docs: begin
from openinference.instrumentation.instructor import InstructorInstrumentor
from openinference.instrumentation.openai import OpenAIInstrumentor

OpenAIInstrumentor().instrument(tracer_provider=provider)
InstructorInstrumentor().instrument(tracer_provider=provider)
# docs: end
run(provider, SCENARIOS)
