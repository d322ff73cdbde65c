import {
  type AnswerRecord,
  answerRecord,
  type CreateEventRequest,
  type CreateRecordRequest,
  type Page,
  pageOf,
  type RecordFilters,
  type RecordSummary,
  recordSummary,
  type Verification,
  verification,
} from '@answer-evidence/contracts';
import { ApiError } from './errors.ts';
import { formatQuery, request } from './request.ts';
import type { Send } from './transport.ts';

/** Which piece of a list. `cursor` continues a list of any length. */
export type PageRequest = { readonly page?: number; readonly size?: number; readonly cursor?: string };

/** A record as a create answers it; `replayed` says that the same request had been accepted before. */
export type CreatedRecord = { readonly record: AnswerRecord; readonly replayed: boolean };

/** Which records an export holds. */
export type ExportFilters = Pick<RecordFilters, 'application_key' | 'environment' | 'created_after' | 'created_before'>;

/** One bounded export: at most 200 records, fewer when they are large, the oldest that match. */
export type RecordExport = {
  readonly content: Uint8Array;
  /** How many records matched, those that were left out included; null when the service did not say. */
  readonly matching: number | null;
  readonly isTruncated: boolean;
  /** `created_after` of the export that goes on from here; null when nothing was left out. */
  readonly nextCreatedAfter: string | null;
};

/** Operations on answer records. */
export type RecordsApi = {
  /**
   * Records an answer. Without an `idempotency_key` a random one is added: it is what makes the retries safe. Give one
   * derived from your own request, so that also a restart of your program does not record twice.
   */
  create(body: CreateRecordRequest): Promise<CreatedRecord>;
  list(filters?: RecordFilters, page?: PageRequest): Promise<Page<RecordSummary>>;
  /** Every record that matches, newest first, page by page. */
  listAll(filters?: RecordFilters, size?: number): AsyncGenerator<RecordSummary, void, void>;
  get(id: string): Promise<AnswerRecord>;
  /** Appends an event, under the idempotency key given or a random one (at most 200 visible ASCII characters). */
  appendEvent(id: string, body: CreateEventRequest, idempotencyKey?: string): Promise<AnswerRecord>;
  /** The service logs each export, so one that was repeated after a lost answer stands in the ledger twice. */
  export(format: 'jsonl' | 'csv', filters?: ExportFilters): Promise<RecordExport>;
  verify(id: string): Promise<Verification>;
};

const PATH = '/api/answer-audit-logs';
const EXPORT_TIMEOUT_MS = 120_000;

const recordPage = pageOf(recordSummary);

function recordPath(id: string): string {
  return `${PATH}/${encodeURIComponent(id)}`;
}

/** The operations on answer records over a transport. */
export function createRecordsApi(send: Send, createKey: () => string): RecordsApi {
  const list: RecordsApi['list'] = async (filters = {}, page = {}) => {
    const path = formatQuery(PATH, { ...filters, ...page });
    return (await request(send, { method: 'GET', path, repeat: 'safe' }, recordPage)).value;
  };

  return {
    list,
    async create(body) {
      const keyed = { ...body, idempotency_key: body.idempotency_key ?? createKey() };
      const reply = await request(send, { method: 'POST', path: PATH, body: keyed, repeat: 'safe' }, answerRecord);
      return { record: reply.value, replayed: reply.headers.get('idempotency-replayed') === 'true' };
    },
    async *listAll(filters, size) {
      let cursor: string | undefined;
      for (;;) {
        const pageRequest = { ...(size === undefined ? {} : { size }), ...(cursor === undefined ? {} : { cursor }) };
        const page = await list(filters, pageRequest);
        yield* page.items;
        if (page.next_cursor === null) return;
        if (page.next_cursor === cursor)
          throw new ApiError(200, 'the list made no progress: a page repeated its cursor');
        cursor = page.next_cursor;
      }
    },
    async get(id) {
      return (await request(send, { method: 'GET', path: recordPath(id), repeat: 'safe' }, answerRecord)).value;
    },
    async appendEvent(id, body, idempotencyKey = createKey()) {
      if (!/^[\x21-\x7e]{1,200}$/.test(idempotencyKey)) {
        throw new TypeError("an event's idempotency key must be 1 to 200 visible ASCII characters");
      }
      const headers = { 'idempotency-key': idempotencyKey };
      const path = `${recordPath(id)}/events`;
      return (await request(send, { method: 'POST', path, body, headers, repeat: 'safe' }, answerRecord)).value;
    },
    async export(format, filters = {}) {
      const path = formatQuery(`${PATH}/export`, { format, ...filters });
      const reply = await send({ method: 'GET', path, repeat: 'safe', timeoutMs: EXPORT_TIMEOUT_MS });
      const matching = reply.headers.get('export-matching');
      return {
        content: reply.bytes,
        matching: matching !== null && /^\d{1,15}$/.test(matching) ? Number(matching) : null,
        isTruncated: reply.headers.get('export-truncated') === 'true',
        nextCreatedAfter: reply.headers.get('export-next-created-after'),
      };
    },
    async verify(id) {
      const path = `${recordPath(id)}/ledger/verify`;
      return (await request(send, { method: 'GET', path, repeat: 'safe' }, verification)).value;
    },
  };
}
