import type { ContentRule } from './content-rule.ts';

/**
 * The mapping, as data. What a version of it says never changes: a name that is added, or read in another way, makes a
 * new version.
 * The names of each convention stand in its own file of this folder, with the place where they are documented.
 */
export const MAPPING_VERSION = 11;

/**
 * Members of a framework's state that are looked into, in their order, if it has no list of messages: the names that
 * LangChain, LangGraph, LlamaIndex, Haystack and CrewAI document for inputs and outputs, and what wraps them.
 */
export const STATE_RULES: Readonly<Record<ContentRule['to'], readonly string[]>> = {
  question: [
    ...['inputs', 'input', 'question', 'query', 'task', 'user_input', 'human_input', 'user_msg', 'message', 'prompt'],
    'contents',
    'user_prompt',
    ...['new_message', 'query_str', 'query_bundle', 'str_or_query_bundle', 'text', 'description', 'body'],
  ],
  answer: [
    ...['outputs', 'output', 'answer', 'result', 'response', 'generation', 'generations', 'message', 'output_text'],
    ...['final_output', 'final_answer', 'finalAnswer', 'final_response', 'finalResponse'],
    ...['final_report', 'finalReport', 'combined_output', 'combinedOutput'],
    ...['raw', 'replies', 'text', 'choices', 'candidates', 'body', 'answers', 'data', 'generated_text'],
  ],
};

/** Members of a state that may be an object which is the answer as a whole, if a call of a model below wrote it. */
export const OBJECT_RULES: readonly string[] = [
  'structured_response',
  'structuredResponse',
  'structured_output',
  'parsed',
];

/** Begins the attributes that mark an item as an answer, whatever else it holds. */
export const MARK_PREFIX = 'service.audit.';

/** An attribute of the resource; `marked`: only items with an attribute of `service.audit` are answers. */
export const ANSWERS_KEY = 'service.audit.answers';

/** Where the fields of a record come from, in their order. */
export const FIELD_RULES = {
  application_key: { on: 'resource', keys: ['service.name'] },
  environment: { on: 'resource', keys: ['deployment.environment.name', 'deployment.environment'] },
  idempotency_key: { on: 'item', keys: ['service.audit.idempotency_key'] },
  external_message_id: { on: 'item', keys: ['gen_ai.response.id'] },
  actor_id_hash: { on: 'item', keys: ['enduser.id_hash'] },
  session_id_hash: { on: 'item', keys: ['session.id_hash'] },
  semantic_refs: { on: 'item', keys: ['service.audit.semantic_refs'] },
  source_refs: { on: 'item', keys: ['service.audit.source_refs'] },
} as const;
