import { describe, expect, it } from '@jest/globals';
import type { OtlpItem } from '../item/otlp-item.ts';
import { reduceItems } from './reduced-item.ts';

type Named = {
  readonly scope?: string;
  readonly name?: string;
  readonly keys?: readonly string[];
  readonly events?: readonly string[];
};

function spanOf({ scope = 'a scope', name = 'a span', keys = [], events = [] }: Named): OtlpItem {
  return {
    kind: 'span',
    index: 0,
    resource: { attributes: [{ key: 'service.name', value: 'support-bot' }] },
    scope: { name: scope, version: '' },
    traceId: '1'.repeat(32),
    spanId: '1'.repeat(16),
    parentSpanId: null,
    parentIsRemote: false,
    name,
    spanKind: 1,
    startTimeUnixNano: 1n,
    endTimeUnixNano: 2n,
    statusCode: 0,
    attributes: keys.map((key) => ({ key, value: 'a value' })),
    events: events.map((event) => ({ name: event, timeUnixNano: 1n, attributes: [] })),
  };
}

function logOf({ scope = '', name = '', keys = [] }: Named): OtlpItem {
  return {
    kind: 'log',
    index: 0,
    resource: { attributes: [{ key: 'service.name', value: 'support-bot' }] },
    scope: { name: scope, version: '' },
    traceId: null,
    spanId: null,
    timeUnixNano: 1n,
    severityNumber: 0,
    eventName: '',
    attributes: [{ key: 'event.name', value: name }, ...keys.map((key) => ({ key, value: 'a value' }))],
    body: null,
  };
}

const reasonOf = (item: OtlpItem) => reduceItems([item])[0]?.reason;

const OF_MODELS: Readonly<Record<string, OtlpItem>> = {
  'Codex, by its event': logOf({ name: 'codex.user_prompt', keys: ['conversation.id', 'prompt', 'model'] }),
  'Codex, by its scope': logOf({ scope: 'codex_otel.log_only', name: 'sse_event', keys: ['duration_ms'] }),
  'Qwen Code, by its event': logOf({ name: 'qwen-code.config', keys: ['sandbox_enabled', 'duration_ms'] }),
  'dd-trace, by its attribute': spanOf({ scope: 'dd-trace', name: 'request', keys: ['_llmobs', 'resource.name'] }),
  'dd-trace, by its span': spanOf({ scope: 'dd-trace', name: 'openai.request', keys: ['resource.name'] }),
  'a client of a model': spanOf({ scope: '@my-company/openai-client', name: 'request' }),
  'a call in camel case': spanOf({ name: 'callLLM' }),
  'a call of a program': spanOf({ name: 'llm_call', keys: ['app.question'] }),
  'a prompt of a program': spanOf({ name: 'ask', keys: ['app.prompt', 'app.reply'] }),
  'a chain': spanOf({ scope: 'com.example', name: 'LangChain4j.invoke' }),
  'an event of a span': spanOf({ events: ['llm.chunk'] }),
};

const OF_OTHERS: Readonly<Record<string, OtlpItem>> = {
  'a web server': spanOf({
    scope: '@opentelemetry/instrumentation-http',
    name: 'POST /v1/orders/{id}/complete',
    keys: ['http.request.method', 'url.full', 'user_agent.original', 'server.address', 'http.route', 'enduser.id'],
  }),
  'a database': spanOf({
    scope: 'opentelemetry.instrumentation.psycopg',
    name: 'SELECT coherence.fullMessage',
    keys: ['db.system.name', 'db.query.text', 'db.collection.name', 'db.operation.batch.size'],
  }),
  'a queue': spanOf({
    scope: 'io.opentelemetry.kafka-clients-2.6',
    name: 'orders process',
    keys: ['messaging.system'],
  }),
  'a monitoring agent': spanOf({
    scope: 'elastic-apm-agent',
    name: 'tick',
    keys: ['telemetry.distro.name', 'agent.id'],
  }),
  'a job': spanOf({ scope: 'celery', name: 'run/tasks.coherent_rows', keys: ['celery.task_name', 'model.name'] }),
  'a log line': logOf({ scope: 'com.example.Skillmap', name: '', keys: ['thread.name', 'code.function.name'] }),
};

describe('an item without anything of the conventions that are read', () => {
  it.each(Object.entries(OF_MODELS))('is named after a model: %s', (_, item) => {
    expect(reasonOf(item)).toBe('unknown_convention');
  });

  it.each(Object.entries(OF_OTHERS))('is unrelated: %s', (_, item) => {
    expect(reasonOf(item)).toBe('unrelated');
  });
});
