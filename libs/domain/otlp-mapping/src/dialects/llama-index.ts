import { rule } from './content-rule.ts';
import type { Dialect } from './dialect.ts';
import { rewriting, template } from './template.ts';

/** What its own instrumentation tells of queries, chats and calls of models. */
const EVENTS = {
  question: [
    ['QueryStartEvent', 'query'],
    ['QueryStartEvent', 'query.query_str'],
    ['AgentChatWithStepStartEvent', 'user_msg'],
    ['LLMChatStartEvent', 'messages'],
  ],
  answer: [
    ['QueryEndEvent', 'response.response'],
    ['AgentChatWithStepEndEvent', 'response.response'],
    ['LLMChatEndEvent', 'response.message.blocks'],
  ],
} as const;

/** LlamaIndex. */
export const LLAMA_INDEX: Dialect = {
  name: 'llama_index',
  source: 'run-llama/llama_index, llama-index-observability-otel; llama_index/core/prompts and chat_engine',
  contents: [
    ...EVENTS.question.map(([event, key]) => rule('question', 'llama_index', key, 'state', { event })),
    ...EVENTS.answer.map(([event, key]) => rule('answer', 'llama_index', key, 'state', { event })),
  ],
  documents: [
    {
      convention: 'llama_index',
      form: 'list',
      event: 'RetrievalEndEvent',
      key: 'nodes',
      isLast: true,
      wrapped: 'node',
      id: ['id_', 'node_id'],
      score: ['score'],
      content: ['text'],
      metadata: ['metadata'],
    },
  ],
  templates: [
    template('Context information is below.\n', '\nQuery: ', '\nAnswer:', 'last'),
    template('Context information from multiple sources is below.\n', '\nQuery: ', '\nAnswer:', 'last'),
    template(
      'The original query is as follows: ',
      'The original query is as follows: ',
      '\nWe have provided an existing',
    ),
    template('You are an expert Q&A system that strictly operates in two', '\nQuery: ', '\nOriginal Answer: ', 'last'),
    rewriting(
      'Given a conversation (between Human and Assistant) and a follow up message from Human, rewrite',
      '\n<Follow Up Message>\n',
      '\n\n<Standalone question>',
    ),
  ],
  finalMarksBehindThought: ['Answer:'],
  writes: { contents: ['blocks'], calls: { args: ['tool_kwargs'] } },
};
