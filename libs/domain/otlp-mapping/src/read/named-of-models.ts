import type { OtlpItem } from '../item/otlp-item.ts';
import { bodyMembers, eventNameOf } from './places.ts';

/** What makes models, runs them, or is built on them: in whatever convention it writes, it says so by its names. */
const DISTINCT =
  /openai|anthropic|claude|codex|qwen|gemini|deepseek|mistral|mixtral|ollama|openrouter|litellm|langchain|langgraph|langsmith|langfuse|llama|huggingface|chatgpt|chatbot|copilot|crewai|autogen|smolagents|semantic[._-]?kernel|vertex[._-]?ai|bedrock|watsonx|gen[._-]?ai|ai[._-]agent|ai[._-]model|agentic|chat[._/-]?completion|function[._-]call|tool[._-]call|prompt/i;
/** The same of short words, which others may contain: they begin a word. */
const SHORT = /(?:^|[^a-z])(?:llms?|gpt|vllm|ml_?obs|llmobs|dspy|groq|cohere|xai|sglang)(?![a-z])/i;
const IN_CAMEL_CASE = /[a-z](?:LLM|Llm|GPT|Gpt)/;

/** Whether a name says that what it names is of a model or an agent. */
function isOfModel(name: string): boolean {
  return DISTINCT.test(name) || SHORT.test(name) || IN_CAMEL_CASE.test(name);
}

/** Whether the scope, the name or an attribute of an item says that it is of a model, in whatever convention. */
export function isNamedOfModels(item: OtlpItem): boolean {
  if (isOfModel(item.scope.name) || item.attributes.some(({ key }) => isOfModel(key))) return true;
  if (item.kind === 'log')
    return isOfModel(eventNameOf(item) ?? '') || bodyMembers(item).some(({ key }) => isOfModel(key));
  return (
    isOfModel(item.name) ||
    item.events.some(({ name, attributes }) => isOfModel(name) || attributes.some(({ key }) => isOfModel(key)))
  );
}
