import {
  type Page,
  pageOf,
  type UnattachedFilters,
  type UnattachedTrace,
  unattachedTrace,
} from '@answer-evidence/contracts';
import type { PageRequest } from './records.ts';
import { formatQuery, request } from './request.ts';
import type { Send } from './transport.ts';

/** Operations on what came by OpenTelemetry. Sending it is the business of exporters. */
export type OtelApi = {
  /** Traces that were accepted and belong to no record, with the reason, newest first. */
  unattached(filters?: UnattachedFilters, page?: PageRequest): Promise<Page<UnattachedTrace>>;
};

const PATH = '/api/answer-audit-logs/otel/unattached';
const page = pageOf(unattachedTrace);

/** The operations on what came by OpenTelemetry over a transport. */
export function createOtelApi(send: Send): OtelApi {
  return {
    async unattached(filters = {}, which = {}) {
      const path = formatQuery(PATH, { ...filters, ...which });
      return (await request(send, { method: 'GET', path, repeat: 'safe' }, page)).value;
    },
  };
}
