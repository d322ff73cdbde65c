# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "mlflow==3.17.2",
#   "pydantic-ai-slim[openai]==2.68.0",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
from mlflow_recorded import run
from recorded import OUTPUT

# docs: begin
import mlflow

mlflow.pydantic_ai.autolog()
# docs: end
from pydantic_ai import Agent
from pydantic_ai.messages import ModelRequest, ModelResponse, TextPart, UserPromptPart
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai_calls import SCENARIOS


def agent():
    asked = Agent(OpenAIChatModel("fake-model"), instructions="SECRET prompt", name="helper")

    @asked.tool_plain
    def lookup(word: str) -> str:
        """Looks a word up."""
        return OUTPUT

    history = [ModelRequest(parts=[UserPromptPart("Q first")]), ModelResponse(parts=[TextPart("A first")])]
    asked.run_sync("Q TOOL agent", message_history=history)


run({"agent": agent, **SCENARIOS})
