import { example } from './operation-example.ts';

/** A request of an exporter in JSON: one span of the scope `app` that calls a model, without a parent. */
const EXPORTED_CALL =
  'eyJyZXNvdXJjZVNwYW5zIjpbeyJyZXNvdXJjZSI6eyJhdHRyaWJ1dGVzIjpbeyJrZXkiOiJzZXJ2aWNlLm5hbWUiLCJ2YWx1ZSI6' +
  'eyJzdHJpbmdWYWx1ZSI6InN1cHBvcnQtYm90In19XX0sInNjb3BlU3BhbnMiOlt7InNjb3BlIjp7Im5hbWUiOiJhcHAifSwic3Bh' +
  'bnMiOlt7InRyYWNlSWQiOiIwYWY3NjUxOTE2Y2Q0M2RkODQ0OGViMjExYzgwMzE5YyIsInNwYW5JZCI6ImI3YWQ2YjcxNjkyMDMz' +
  'MzEiLCJuYW1lIjoiY2hhdCIsImtpbmQiOjMsImF0dHJpYnV0ZXMiOlt7ImtleSI6Imdlbl9haS5vcGVyYXRpb24ubmFtZSIsInZh' +
  'bHVlIjp7InN0cmluZ1ZhbHVlIjoiY2hhdCJ9fSx7ImtleSI6Imdlbl9haS5jb21wbGV0aW9uIiwidmFsdWUiOnsic3RyaW5nVmFs' +
  'dWUiOiJZZXMuIn19XX1dfV19XX0=';

/** OpenTelemetry. */
export const TELEMETRY = [
  example(
    'otlpTraces',
    'ingestOtlpTraces',
    200,
    'A span of the answer that was recorded first, in JSON; exporters send protobuf as well',
    { body: otlpTraces('example-1') },
  ),
  example('otlpLogs', 'ingestOtlpLogs', 200, 'No log records', { body: { resourceLogs: [] } }),
  example(
    'otlpWithoutName',
    'ingestOtlp',
    200,
    'A span that says whose it is nowhere: the reply names it and the reason',
    { body: { resourceSpans: [{ scopeSpans: otlpTraces('msg-124').resourceSpans[0].scopeSpans }] } },
  ),
  example('otlpExplained', 'explainOtlp', 200, 'A span that would be an answer, and what of it is read', {
    body: otlpTraces('example-1'),
  }),
  example('otlpRulesExplained', 'explainOtlpRules', 200, 'A call of a model that rules would exclude', {
    body: {
      request_base64: EXPORTED_CALL,
      content_type: 'application/json',
      rules: [{ application_key: 'support-bot', exclude: [{ operation_name: 'chat', is_root: true }] }],
    },
  }),
];

/** A request of one span that names a record by its key. */
function otlpTraces(key: string) {
  const texts = (attributes: Readonly<Record<string, string>>) =>
    Object.entries(attributes).map(([name, stringValue]) => ({ key: name, value: { stringValue } }));
  const span = {
    traceId: '0af7651916cd43dd8448eb211c80319c',
    spanId: 'b7ad6b7169203331',
    name: 'answer a question',
    startTimeUnixNano: '1795165200000000000',
    attributes: texts({ 'service.audit.idempotency_key': key }),
  };
  const resource = { attributes: texts({ 'service.name': 'support-bot' }) };
  return { resourceSpans: [{ resource, scopeSpans: [{ spans: [span] }] }] } as const;
}
