import * as z from 'zod';
import { traceId } from '../primitives.ts';
import {
  explainRulesRequest,
  ignoredItemList,
  ignoredQuery,
  otlpExplanation,
  traceFates,
  unattachedQuery,
  unattachedTraceList,
} from '../traces.ts';
import { get, post, rawBody } from './operation.ts';

/** The media types of the encodings of OTLP. */
export const OTLP_TYPES = ['application/x-protobuf', 'application/json'] as const;

/** Where exporters send. */
export const OTLP = '/api/answer-audit-logs/otel';

/**
 * What is said of a request of an exporter. How large one may be is a setting. Its schema, which only the API
 * description shows, is not a part of what clients bring.
 */
export const EXPORT = {
  rateLimit: 'create',
  bodyFormat: 'bytes',
  body: rawBody,
  bodyTypes: OTLP_TYPES,
  bodyMayBeGzip: true,
  compressReplies: true,
} as const;

export const explainOtlpRules = post(`${OTLP}/explain/rules`, 'explainOtlpRules', 'telemetry.explain', {
  summary: 'Explain what rules would make of a request of an OpenTelemetry exporter, without keeping any of it',
  rateLimit: 'create',
  body: explainRulesRequest,
  compressReplies: true,
  responses: { 200: { description: 'What each item would become, and why', schema: otlpExplanation } },
});

export const explainOtlp = post(`${OTLP}/explain`, 'explainOtlp', 'telemetry.explain', {
  summary: 'Explain what of a request of an OpenTelemetry exporter would be read, without keeping any of it',
  ...EXPORT,
  responses: { 200: { description: 'What each item would become, and why', schema: otlpExplanation } },
});

export const getTraceFates = get(`${OTLP}/traces/{trace_id}`, 'getTraceFates', 'telemetry.read', {
  summary: 'Say what became of the spans and log records of a trace',
  params: z.strictObject({ trace_id: traceId }),
  responses: { 200: { description: 'What is known of the trace', schema: traceFates } },
});

export const listIgnoredItems = get(`${OTLP}/ignored`, 'listIgnoredItems', 'telemetry.read', {
  summary: 'Count the spans and log records that left no record, by application, instrumentation and reason',
  query: ignoredQuery,
  responses: { 200: { description: 'One page', schema: ignoredItemList } },
});

export const listUnattachedTraces = get(`${OTLP}/unattached`, 'listUnattachedTraces', 'telemetry.read', {
  summary: 'List traces without a record, newest first',
  query: unattachedQuery,
  responses: { 200: { description: 'One page', schema: unattachedTraceList } },
});
