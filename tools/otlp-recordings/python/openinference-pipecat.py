# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "openai==3.57.0",
#   "pipecat-ai[openai]==1.14.0",
#   "openinference-instrumentation-pipecat==2.0.9",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
import asyncio

from recorded import OUTPUT, open_provider, run

provider = open_provider()
# docs: begin
from openinference.instrumentation.pipecat import PipecatInstrumentor

PipecatInstrumentor().instrument(tracer_provider=provider)
# docs: end
from pipecat.frames.frames import EndFrame, LLMRunFrame
from pipecat.pipeline.pipeline import Pipeline
from pipecat.pipeline.runner import PipelineRunner
from pipecat.pipeline.task import PipelineParams, PipelineTask
from pipecat.processors.aggregators.llm_context import LLMContext
from pipecat.processors.aggregators.llm_response_universal import LLMContextAggregatorPair
from pipecat.services.openai.llm import OpenAILLMService
from pipecat.adapters.schemas.function_schema import FunctionSchema
from pipecat.adapters.schemas.tools_schema import ToolsSchema


def converse(*texts, tools=None):
    async def go():
        service = OpenAILLMService(api_key="none", model="fake-model")

        async def lookup(params):
            await params.result_callback({"result": OUTPUT})

        service.register_function("lookup", lookup)
        said = [
            {"role": "system", "content": "SECRET prompt"},
            {"role": "user", "content": "Q first"},
            {"role": "assistant", "content": "A first"},
        ]
        context = LLMContext([*said, {"role": "user", "content": texts[0]}], **({"tools": tools} if tools else {}))
        pair = LLMContextAggregatorPair(context)
        pipeline = Pipeline([pair.user(), service, pair.assistant()])
        task = PipelineTask(pipeline, params=PipelineParams(enable_metrics=True))
        await task.queue_frames([LLMRunFrame()])

        async def end():
            await asyncio.sleep(3)
            await task.queue_frame(EndFrame())

        ending = asyncio.create_task(end())
        await PipelineRunner(handle_sigint=False).run(task)
        await ending

    asyncio.run(go())


def conversation():
    converse("Q last")


def tool():
    schema = FunctionSchema(
        name="lookup", description="Looks a word up.", properties={"word": {"type": "string"}}, required=["word"]
    )
    converse("Q TOOL call", tools=ToolsSchema(standard_tools=[schema]))


run(provider, globals())
