import type { AnswerItem, RejectedItem } from '@answer-evidence/otlp-mapping';

/** Whether an item is of another application than that of the token; `bound`: undefined for a token of all. */
export function isForeign({ applicationKey }: Pick<AnswerItem, 'applicationKey'>, bound: string | undefined): boolean {
  return bound !== undefined && applicationKey !== bound;
}

/** The rejection of such an item: a token of an application brings in that application's items alone. */
export function refuseForeign({ index, traceId, spanId }: Omit<RejectedItem, 'reason'>): RejectedItem {
  const reason = 'its service.name differs from the application key of the token (application_not_allowed)';
  return { index, traceId, spanId, reason };
}
