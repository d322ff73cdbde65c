import { exportServiceRequest, otlpExplanation } from '@answer-evidence/contracts';
import { rawBody } from '@answer-evidence/contracts/operations';
import { readForExplanation } from '@answer-evidence/otlp-mapping';
import { authenticated, type ByteBudget, defineRoute, type Route } from '@answer-evidence/routes';
import type { OtlpDeps } from '../../deps.ts';
import { createExplain } from '../explain.ts';
import { MEDIA_TYPES } from '../ingest-otlp/problem-form.ts';
import { readBatch } from '../read-batch.ts';
import { giveTextRules, readBy, readRuled } from '../ruled-body.ts';

/** `POST /api/answer-audit-logs/otel/explain`: what would become of a request of an exporter. Nothing of it is kept. */
export function explainOtlpRoute(deps: OtlpDeps, bodyBudget: ByteBudget): Route {
  const explain = createExplain(deps);
  return defineRoute({
    method: 'POST',
    path: '/api/answer-audit-logs/otel/explain',
    operationId: 'explainOtlp',
    summary: 'Explain what of a request of an OpenTelemetry exporter would be read, without keeping any of it',
    access: 'records.create',
    rateLimit: 'create',
    bodyFormat: 'bytes',
    body: rawBody,
    bodyBytesMax: deps.otlpBodyBytesMax,
    bodyTypes: Object.values(MEDIA_TYPES),
    bodySchema: exportServiceRequest,
    bodyMayBeGzip: true,
    bodyBudget,
    compressReplies: true,
    responses: { 200: { description: 'What each item would become, and why', schema: otlpExplanation } },
    digestGiven: giveTextRules(deps),
    digest: (body, contentType, given) =>
      readRuled((rules) => readForExplanation(readBatch(body, contentType, undefined, deps.otlpLimits), rules), given),
    handle: async ({ caller, body }) => ({
      status: 200,
      body: await explain(authenticated(caller), (rules) => readBy(body, rules)),
    }),
  });
}
