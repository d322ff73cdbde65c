import { exportServiceRequest } from '@answer-evidence/contracts';
import { explainOtlp } from '@answer-evidence/contracts/operations';
import { readForExplanation } from '@answer-evidence/otlp-mapping';
import { type ByteBudget, defineRoute, type Route } from '@answer-evidence/routes';
import type { OtlpDeps } from '../../deps.ts';
import { createExplain } from '../explain.ts';
import { readBatch } from '../read-batch.ts';
import { giveTextRules, readBy, readRuled } from '../ruled-body.ts';

/** `POST /api/answer-audit-logs/otel/explain`: what would become of a request of an exporter. Nothing of it is kept. */
export function explainOtlpRoute(deps: OtlpDeps, bodyBudget: ByteBudget): Route {
  const explain = createExplain(deps);
  return defineRoute({
    ...explainOtlp,
    bodySchema: exportServiceRequest,
    bodyBytesMax: deps.otlpBodyBytesMax,
    bodyBudget,
    digestGiven: giveTextRules(deps),
    digest: (body, contentType, given) =>
      readRuled((rules) => readForExplanation(readBatch(body, contentType, undefined, deps.otlpLimits), rules), given),
    handle: async ({ caller, body }) => ({
      status: 200,
      body: await explain(caller, (rules) => readBy(body, rules)),
    }),
  });
}
