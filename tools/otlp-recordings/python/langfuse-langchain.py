# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "langfuse==5.0.4",
#   "langchain==1.4.7",
#   "langchain-openai==1.7.3",
#   "langgraph==1.2.22",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
import os
from contextvars import ContextVar

os.environ["LANGFUSE_PUBLIC_KEY"] = "pk"
os.environ["LANGFUSE_SECRET_KEY"] = "sk"
os.environ["LANGFUSE_BASE_URL"] = os.environ["OTEL_EXPORTER_OTLP_ENDPOINT"] + "/langfuse"
from langchain_calls import SCENARIOS
from langchain_core.tracers.context import register_configure_hook
from recorded import open_provider, run

provider = open_provider()
# docs: begin
from langfuse import Langfuse
from langfuse.langchain import CallbackHandler

Langfuse()
handler = CallbackHandler()
# docs: end
# As if each call were given it, in its config.
register_configure_hook(ContextVar("handler", default=handler), inheritable=True)
run(provider, SCENARIOS)
