/**
 * Words of what makes models or runs them: in whatever convention it writes, it says so by its names. Those of
 * frameworks stand in their dialects.
 */
export const MAKER_WORDS: readonly RegExp[] = [
  /openai|anthropic|claude|codex|gemini|deepseek|mistral|mixtral|ollama|openrouter|litellm|llama|huggingface/i,
  /chatgpt|chatbot|copilot|vertex[._-]?ai|bedrock|watsonx|gen[._-]?ai|ai[._-]agent|ai[._-]model|agentic/i,
  /chat[._/-]?completion|function[._-]call|tool[._-]call|prompt/i,
  // Short words, which others may contain: they begin a word.
  /(?:^|[^a-z])(?:llms?|gpt|vllm|ml_?obs|llmobs|groq|cohere|xai|sglang)(?![a-z])/i,
  /[a-z](?:LLM|Llm|GPT|Gpt)/,
];
