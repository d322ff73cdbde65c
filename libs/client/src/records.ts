import type {
  AnswerRecord,
  CreatedResult,
  CreateEventRequest,
  CreateRecordRequest,
  CreateRecordsRequest,
  CsvOptions,
  RecordFilters,
  RecordSummary,
  RevealRequest,
} from '@answer-evidence/contracts';
import {
  appendLifecycleEvent,
  createAnswerRecord,
  createAnswerRecords,
  exportAnswerRecords,
  getAnswerRecord,
  listAnswerRecords,
  revealTexts,
  verifyAnswerRecord,
} from '@answer-evidence/contracts/operations';
import { createCalls, toCall } from './calls.ts';
import {
  compareAppended,
  compareCreated,
  compareNamed,
  compareRecords,
  compareResults,
} from './compare/compare-record.ts';
import { compareLines } from './compare/compare-repeated.ts';
import { type Differences, differencesOf } from './compare/differences.ts';
import { type AssertSame, createAgree } from './compare/refuse.ts';
import { ApiError } from './errors.ts';
import { reasonHeaders } from './reason-headers.ts';
import type { ReceiptGuard } from './receipt-guard.ts';
import type { Send } from './transport.ts';

/** Which piece of a list. `cursor` continues a list of any length. */
export type PageRequest = { readonly page?: number; readonly size?: number; readonly cursor?: string };

/** A record as a create answers it; `replayed` says that the same request had been accepted before. */
export type CreatedRecord = { readonly record: AnswerRecord; readonly replayed: boolean };

/** Which records an export holds. */
export type ExportFilters = Pick<
  RecordFilters,
  'application_key' | 'environment' | 'created_after' | 'created_before'
> & {
  /** The approved request for exactly this export, which it uses up. */
  readonly approval_id?: string;
};

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
export type RecordsApi = ReturnType<typeof createRecordsApi>;

const EXPORT_TIMEOUT_MS = 120_000;
const CREATE_MANY_TIMEOUT_MS = 60_000;

/**
 * The operations on answer records over a transport. What each returns was compared with what was sent, and
 * `assertReceipt` was asked about each record that has a receipt.
 */
export function createRecordsApi(
  send: Send,
  createKey: () => string,
  assertSame: AssertSame,
  assertReceipt: ReceiptGuard = () => Promise.resolve(),
) {
  /** The record, if it is what `compare` expects and its receipt holds. */
  const proven = async (record: AnswerRecord, compare: (of: AnswerRecord) => Differences): Promise<AnswerRecord> => {
    await assertSame(compare(record), record);
    await assertReceipt(record);
    return record;
  };
  const { call, ask } = createCalls(send);
  const agree = createAgree(assertSame);
  const listBelow = async (filters: RecordFilters, page: PageRequest, leaf: number) => {
    const found = await call(listAnswerRecords, { query: { ...filters, ...page } });
    await assertSame(compareRecords(filters, found, leaf));
    return found;
  };
  const list = async (filters: RecordFilters = {}, page: PageRequest = {}) => listBelow(filters, page, Infinity);

  return {
    list,
    /**
     * Records an answer. Without an `idempotency_key` a random one is added: it is what makes the retries safe. Give
     * one derived from your own request, so that also a restart of your program does not record twice.
     */
    async create(body: CreateRecordRequest): Promise<CreatedRecord> {
      const keyed = { ...body, idempotency_key: body.idempotency_key ?? createKey() };
      const reply = await ask(createAnswerRecord, { body: keyed }, { repeat: 'safe' });
      const record = await proven(reply.value, (given) => compareCreated(keyed, given));
      return { record, replayed: reply.headers.get('idempotency-replayed') === 'true' };
    },
    /**
     * Records up to 500 answers in one request: one result per answer, in their order. Their keys make retries safe. A
     * record that is refused does not affect the others. There are no receipts: `get` brings them.
     */
    async createMany(records: CreateRecordsRequest['records']): Promise<readonly CreatedResult[]> {
      const options = { repeat: 'safe', timeoutMs: CREATE_MANY_TIMEOUT_MS } as const;
      const { results } = await call(createAnswerRecords, { body: { records } }, options);
      if (results.length !== records.length)
        throw new ApiError(200, 'the service responded with another number of results than there were records');
      await assertSame(compareResults(records, results));
      return results;
    },
    /** Every record that matches, newest first, page by page. */
    async *listAll(filters: RecordFilters = {}, size?: number): AsyncGenerator<RecordSummary, void, void> {
      let cursor: string | undefined;
      let leaf = Infinity;
      for (;;) {
        const pageRequest = { ...(size === undefined ? {} : { size }), ...(cursor === undefined ? {} : { cursor }) };
        const page = await listBelow(filters, pageRequest, leaf);
        leaf = page.items.at(-1)?.ledger.leaf_index ?? leaf;
        yield* page.items;
        if (page.next_cursor === null) return;
        if (page.next_cursor === cursor)
          throw new ApiError(200, 'the list made no progress: a page repeated its cursor');
        cursor = page.next_cursor;
      }
    },
    /** `reason`: why its texts are read; some workspaces show none without. */
    get: async (id: string, reason?: RevealRequest) =>
      proven(await call(getAnswerRecord, { params: { answer_log_id: id } }, reasonHeaders(reason)), (record) =>
        compareNamed(id, record),
      ),
    /** Appends an event, under the idempotency key given or a random one (at most 200 visible ASCII characters). */
    async appendEvent(id: string, body: CreateEventRequest, idempotencyKey = createKey()) {
      if (!/^[\x21-\x7e]{1,200}$/.test(idempotencyKey)) {
        throw new TypeError("an event's idempotency key must be 1 to 200 visible ASCII characters");
      }
      const options = { headers: { 'idempotency-key': idempotencyKey }, repeat: 'safe' } as const;
      const changed = await call(appendLifecycleEvent, { params: { answer_log_id: id }, body }, options);
      return proven(changed, (record) => compareAppended(id, body, idempotencyKey, record));
    },
    /** The record with its texts; the log keeps who read them, and why. */
    reveal: async (id: string, body: RevealRequest) =>
      proven(await call(revealTexts, { params: { answer_log_id: id }, body }), (record) => compareNamed(id, record)),
    /** The service logs each export, so one that was repeated after a lost answer stands in the ledger twice. */
    async export(
      format: 'jsonl' | 'csv',
      filters: ExportFilters = {},
      csv: CsvOptions = {},
      reason?: RevealRequest,
    ): Promise<RecordExport> {
      const query = { format, ...filters, ...csv };
      const options = { timeoutMs: EXPORT_TIMEOUT_MS, ...reasonHeaders(reason) };
      const reply = await send(toCall(exportAnswerRecords, { query }, options));
      const { approval_id: _, ...asked } = filters;
      if (format === 'jsonl') await assertSame(compareLines(asked, reply.bytes));
      const matching = reply.headers.get('export-matching');
      return {
        content: reply.bytes,
        matching: matching !== null && /^\d{1,15}$/.test(matching) ? Number(matching) : null,
        isTruncated: reply.headers.get('export-truncated') === 'true',
        nextCreatedAfter: reply.headers.get('export-next-created-after'),
      };
    },
    verify: async (id: string) =>
      agree(call(verifyAnswerRecord, { params: { answer_log_id: id } }), (verified) =>
        differencesOf({ '/answer_log_id': [id.toLowerCase(), verified.answer_log_id] }),
      ),
  };
}
