import {
  type IgnoredFilters,
  ignoredItemList,
  type UnattachedFilters,
  unattachedTraceList,
} from '@answer-evidence/contracts';
import type { PageRequest } from './records.ts';
import { createRequests, formatQuery } from './request.ts';
import type { Send } from './transport.ts';

/** Operations on what came by OpenTelemetry. Sending it is the business of exporters. */
export type OtelApi = ReturnType<typeof createOtelApi>;

const BASE = '/api/answer-audit-logs/otel';

/** The operations on what came by OpenTelemetry over a transport. */
export function createOtelApi(send: Send) {
  const { get } = createRequests(send);
  return {
    /** Traces that were accepted and belong to no record, with the reason, newest first. */
    unattached: async (filters: UnattachedFilters = {}, page: PageRequest = {}) =>
      get(formatQuery(`${BASE}/unattached`, { ...filters, ...page }), unattachedTraceList),
    /** How many items were accepted and left no record, by application, instrumentation and reason. */
    ignored: async (filters: IgnoredFilters = {}, page: PageRequest = {}) =>
      get(formatQuery(`${BASE}/ignored`, { ...filters, ...page }), ignoredItemList),
  };
}
