# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "ag2[openai,tracing]==0.14.0",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
# Stays below: ag2[openai,tracing] 1
from recorded import open_provider, run

provider = open_provider()
# docs: begin
from autogen.opentelemetry import instrument_agent, instrument_llm_wrapper

instrument_llm_wrapper(tracer_provider=provider)


def instrument(agent):
    instrument_agent(agent, tracer_provider=provider)


# docs: end
from ag2_calls import make

run(provider, make(instrument))
