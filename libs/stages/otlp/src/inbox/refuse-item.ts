import { ServiceError } from '@answer-evidence/contracts';
import type { RejectedItem } from '@answer-evidence/otlp-mapping';

/** The rejection of one item for what is wrong with it. Throws everything else on. */
export function refuseItem({ index, traceId, spanId }: Omit<RejectedItem, 'reason'>, error: unknown): RejectedItem {
  if (!(error instanceof ServiceError) || error.remedy !== 'fix-request') throw error;
  return { index, traceId, spanId, reason: `${error.message} (${error.code})` };
}
