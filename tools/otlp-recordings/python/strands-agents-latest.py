# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "strands-agents[openai]==1.62.0",
#   "opentelemetry-sdk==1.45.1",
#   "opentelemetry-exporter-otlp-proto-http==1.45.1",
# ]
# ///
from recorded import open_provider, run

provider = open_provider()
# docs: begin
import os

os.environ["OTEL_SEMCONV_STABILITY_OPT_IN"] = "gen_ai_latest_experimental"

from strands import Agent

# Strands uses the provider that is registered.
# docs: end
import strands_calls

run(provider, vars(strands_calls))
