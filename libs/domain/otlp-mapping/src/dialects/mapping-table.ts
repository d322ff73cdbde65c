import type { ContentRule } from './content-rule.ts';
import { TURN_EVENT } from './item-kinds.ts';

/**
 * The mapping, as data. What a version of it says never changes: a name that is added, or read in another way, makes a
 * new version.
 *
 * Names are those of the OpenTelemetry semantic conventions for generative AI
 * (open-telemetry/semantic-conventions-genai, docs/gen-ai/gen-ai-spans.md and gen-ai-events.md), of version 1.36 and
 * before of the same (open-telemetry/semantic-conventions, docs/gen-ai/gen-ai-events.md; `gen_ai.prompt`,
 * `gen_ai.completion` and their events up to 1.27), of OpenInference (Arize-ai/openinference,
 * spec/semantic_conventions.md), of traceAI (future-agi/traceAI, python/fi_instrumentation), of Traceloop's
 * OpenLLMetry (traceloop/openllmetry, packages/opentelemetry-semantic-conventions-ai), of Langfuse
 * (langfuse/langfuse-python, langfuse/_client/attributes.py), of MLflow (mlflow/mlflow, mlflow/tracing/constant.py),
 * of Vercel's AI SDK (vercel/ai, packages/ai, telemetry), of Logfire (pydantic/logfire,
 * logfire/_internal/integrations), of LangSmith (langchain-ai/langsmith-sdk, python/langsmith/_internal/otel), of
 * Pydantic AI (pydantic/pydantic-ai), of Google's Agent Development Kit (google/adk-python, src/google/adk/telemetry),
 * of Mastra (mastra-ai/mastra, observability/otel-exporter), of Genkit (firebase/genkit, js/core/src/tracing), of
 * LangWatch (langwatch/langwatch, python-sdk), of Haystack (deepset-ai/haystack, haystack/tracing), of Laminar
 * (lmnr-ai/lmnr-python, src/lmnr/sdk), of OpenLIT (openlit/openlit, sdk/python), of LiveKit (livekit/agents,
 * livekit-agents/livekit/agents/telemetry), of Pipecat (pipecat-ai/pipecat, src/pipecat/utils/tracing), of Monocle
 * (monocle2ai/monocle, apptrace), of LlamaIndex (run-llama/llama_index, llama-index-observability-otel), of
 * VoltAgent (VoltAgent/voltagent, packages/core/src/observability), of NeMo Guardrails (NVIDIA-NeMo/Guardrails,
 * nemoguardrails/tracing), of Sentry (getsentry/sentry-javascript, packages/core/src/tracing), of Claude Code
 * (anthropics/claude-code, monitoring), of Judgment (JudgmentLabs/judgeval, src/judgeval), of Netra
 * (KeyValueSoftwareSystems/netra-sdk-py), of Agenta (Agenta-AI/agenta, sdk/agenta/sdk/engines/tracing), of Langflow
 * (langflow-ai/langflow, src/backend/base/langflow/services/tracing) and of DeepEval (confident-ai/deepeval,
 * deepeval/tracing/otel).
 */
export const MAPPING_VERSION = 10;

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

/** Log events of which several make one conversation: those of one span are read together. */
export const MESSAGE_EVENTS: readonly string[] = [
  'gen_ai.system.message',
  'gen_ai.user.message',
  'gen_ai.assistant.message',
  'gen_ai.tool.message',
  'gen_ai.choice',
  TURN_EVENT,
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

/**
 * Where ids of people and sessions come from, in their order. Only hashes of them are kept, and only where the
 * workspace wants them; a hash that the sender made comes first.
 */
export const NAMED_ID_RULES = {
  actor: [
    'enduser.id',
    'user.id',
    'enduser.pseudo.id',
    'langfuse.user.id',
    'traceloop.association.properties.user_id',
    'ai.telemetry.metadata.userId',
  ],
  session: [
    'session.id',
    'gen_ai.conversation.id',
    'langfuse.session.id',
    'traceloop.association.properties.session_id',
    'traceloop.association.properties.thread_id',
    'ai.telemetry.metadata.sessionId',
  ],
} as const;
