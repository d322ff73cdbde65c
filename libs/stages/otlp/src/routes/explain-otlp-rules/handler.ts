import { ServiceError } from '@answer-evidence/contracts';
import { explainOtlpRules } from '@answer-evidence/contracts/operations';
import { EncodingError, parseBase64 } from '@answer-evidence/encoding';
import { readForExplanation, textRulesOf } from '@answer-evidence/otlp-mapping';
import { type ByteBudget, defineRoute, type Route } from '@answer-evidence/routes';
import type { OtlpDeps } from '../../deps.ts';
import { createExplain } from '../explain.ts';
import { readBatch } from '../read-batch.ts';

/** Room for the rules, and what stands around them. */
const RULES_BYTES_MAX = 64 * 1024;

/**
 * `POST /api/answer-audit-logs/otel/explain/rules`: what would become of a request of an exporter by these rules,
 * instead of those in force. Nothing of it is kept.
 */
export function explainOtlpRulesRoute(deps: OtlpDeps, bodyBudget: ByteBudget): Route {
  const explain = createExplain(deps);
  return defineRoute({
    ...explainOtlpRules,
    bodyBytesMax: Math.ceil((deps.otlpBodyBytesMax * 4) / 3) + RULES_BYTES_MAX,
    bodyBudget,
    digest({ rules, content_type: contentType, request_base64: base64 }) {
      const batch = readBatch(decode(base64), contentType, undefined, deps.otlpLimits);
      return { rules, read: readForExplanation(batch, textRulesOf(rules)) };
    },
    handle: async ({ caller, body: { read, rules } }) => ({
      status: 200,
      body: await explain(caller, () => read, rules),
    }),
  });
}

function decode(base64: string): Uint8Array {
  try {
    return parseBase64(base64);
  } catch (error) {
    if (!(error instanceof EncodingError)) throw error;
    const errors = [{ pointer: '/request_base64', detail: 'must be canonical base64 with padding' }];
    throw new ServiceError('schema_violation', 'the request is invalid', { errors });
  }
}
