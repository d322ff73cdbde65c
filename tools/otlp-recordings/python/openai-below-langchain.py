# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "langchain-classic==1.0.8",
#   "langchain-openai==1.7.4",
#   "openinference-instrumentation-openai==0.1.66",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
from recorded import OUTPUT, open_provider, run

provider = open_provider()
# docs: begin
from openinference.instrumentation.openai import OpenAIInstrumentor

OpenAIInstrumentor().instrument(tracer_provider=provider)
# docs: end
from langchain_classic.agents import AgentExecutor, create_json_chat_agent, create_react_agent
from langchain_classic.agents.conversational_chat.prompt import PREFIX, SUFFIX, TEMPLATE_TOOL_RESPONSE
from langchain_classic.agents.mrkl import prompt as react
from langchain_core.prompts import ChatPromptTemplate, MessagesPlaceholder, PromptTemplate
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI

# As `hwchase17/react` and `hwchase17/react-chat-json`, which cannot be had without a network.
REACT = "\n\n".join([react.PREFIX, "{tools}", react.FORMAT_INSTRUCTIONS, react.SUFFIX])
FORMATS = '```json\n{{"action": one of {tool_names} or "Final Answer", "action_input": string}}\n```'
ASKED = SUFFIX.format(format_instructions=FORMATS).replace("{{input}}", "{input}")
JSON = [("system", PREFIX), ("user", ASKED), MessagesPlaceholder("agent_scratchpad")]


@tool
def lookup(word: str) -> str:
    """Looks a word up."""
    return OUTPUT


def ask(create, prompt, question, **options):
    agent = create(ChatOpenAI(model="fake-model"), [lookup], prompt, **options)
    AgentExecutor(agent=agent, tools=[lookup]).invoke({"input": question})


def react_agent():
    ask(create_react_agent, PromptTemplate.from_template(REACT), "Q react")


def react_agent_with_tool():
    ask(create_react_agent, PromptTemplate.from_template(REACT), "Q TOOL react")


def json_agent():
    prompt = ChatPromptTemplate.from_messages(JSON)
    ask(create_json_chat_agent, prompt, "Q JSONAGENT", template_tool_response=TEMPLATE_TOOL_RESPONSE)


run(provider, globals())
