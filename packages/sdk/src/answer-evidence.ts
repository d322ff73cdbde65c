import { randomUUID } from 'node:crypto';
import { type Client, createClient, type EvidencePlace, type StreamReply } from '@answer-evidence/client';
import type {
  AnswerRecord,
  CreatedEvidenceAsset,
  CreateEventRequest,
  CreateEvidenceRequest,
  CreateRecordRequest,
  CreateRunRequest,
  DownloadEvidenceRequest,
  EvidenceMetadata,
  JsonObject,
  ReconciliationRun,
  RecordFilters,
  RecordSummary,
  RetrievedEvidence,
  RetrieveEvidenceRequest,
} from '@answer-evidence/contracts';
import { type Answer, formatRequest, type Text, toRequest, toTextOrHash } from './answer.ts';
import { EvidenceError, QueueError } from './errors.ts';
import { type EvidenceSource, toEvidenceFile } from './evidence-source.ts';
import { installExitHooks } from './exit-hooks.ts';
import { type Options, readClientOptions, readQueueLimits } from './options.ts';
import { DeliveryQueue } from './queue/delivery-queue.ts';
import { createFolderQueue } from './queue/folder-queue.ts';
import { createMemoryQueue } from './queue/queue-store.ts';
import { createEndpoint, END, type Endpoint } from './queue/send-at-exit.ts';
import { createRecording, type Recording } from './recording.ts';
import { runToEnd } from './run-to-end.ts';
import { type ScopeFields, Scopes } from './scope.ts';
import { toEvidenceError, translated } from './to-evidence-error.ts';
import { callBack, warn } from './warn.ts';

/** Why a record is changed, and the key of the event; the default is a random key. */
export type EventOptions = { readonly reason?: string; readonly idempotencyKey?: string };

/** Which evidence a redaction erases besides the texts of the record. */
export type RedactOptions = EventOptions & {
  readonly reasonCode?: string;
  /** The `source_ref_id` of sources of the record. */
  readonly sourceRefIds?: readonly string[];
};

const FLUSH_TIMEOUT_MS = 30_000;
const RUN_TIMEOUT_MS = 600_000;

/** Records the answers of one application as evidence. */
export class AnswerEvidence {
  /** The application whose answers these are. */
  readonly application: string;
  /** What a failure to record does. */
  readonly fail: 'open' | 'closed';
  /** Every other operation of the API. It throws the errors of the client. */
  readonly client: Client;
  readonly #options: Options;
  /** Of a client whose requests need nothing of this process; its own `fetch` would be. */
  readonly #endpoint: Endpoint | undefined;
  readonly #scopes = new Scopes();
  readonly #queue: DeliveryQueue;
  #removeHooks: (() => void) | undefined;
  #isClosed = false;
  readonly #unfinished = new Set<() => void>();

  /** Sends nothing until it is used, but for what an earlier process left in the folder of the queue. */
  constructor(options: Options) {
    const limits = readQueueLimits(options);
    const clientOptions = readClientOptions(options, process.env);
    this.#options = options;
    this.application = options.application;
    this.fail = options.fail ?? 'open';
    this.client = createClient(clientOptions);
    this.#endpoint = options.fetch === undefined ? createEndpoint(clientOptions) : undefined;
    // The queue has patience of its own, which keeps no process alive.
    const once = createClient({ ...clientOptions, retry: { attemptsMax: 1 } });
    this.#queue = new DeliveryQueue({
      store: options.queue?.folder === undefined ? createMemoryQueue() : createFolderQueue(options.queue.folder),
      limits,
      send: async (text) => {
        const { record } = await translated(once.records.create(JSON.parse(text) as CreateRecordRequest));
        callBack(() => options.onRecorded?.(record));
        return record;
      },
      onError: (error) => this.report(error),
    });
    if (options.flushOnExit !== false && options.queue?.folder !== undefined) this.#installHooks();
  }

  /**
   * Records an answer. With `fail: open` it is in the queue when this returns: on the disk, if the queue has a folder.
   * Rejects when the queue does not hold it. With `fail: closed` the service has recorded it when this returns.
   */
  async record(answer: Answer): Promise<Recording> {
    const { environment, mask } = this.#options;
    const whole = this.#scopes.complete({ ...(environment === undefined ? {} : { environment }), ...answer });
    const key = whole.idempotency_key ?? randomUUID();
    const request = toRequest(whole, this.application, key, mask);
    if (this.fail === 'closed') {
      const { record } = await translated(this.client.records.create(request));
      return createRecording(key, Promise.resolve(record));
    }
    const text = formatRequest(request);
    if (this.#isClosed) throw new QueueError('queue_closed', 'the answer comes after `close`');
    this.#installHooks();
    try {
      return createRecording(key, (await this.#queue.add(text)).recorded, () => this.#queue.lastFailure);
    } catch (error) {
      const { overflow = 'drop' } = this.#options.queue ?? {};
      if (!(error instanceof QueueError && error.code === 'queue_full' && overflow === 'drop')) throw error;
      this.report(error);
      const recorded = Promise.reject<AnswerRecord>(error);
      recorded.catch(() => undefined);
      return createRecording(key, recorded);
    }
  }

  /**
   * For wrappers: records what `find` makes of a response, if it makes anything of it. With `fail: open` nothing that
   * goes wrong here reaches the caller; it is reported.
   */
  async observe(find: () => readonly Answer[]): Promise<void> {
    try {
      for (const answer of find()) {
        const { question } = this.#scopes;
        await this.record(question === undefined ? answer : { ...answer, question });
      }
    } catch (error) {
      if (this.fail === 'closed') throw error;
      this.report(error);
    }
  }

  /**
   * For wrappers: has this done at the end of the process and by `close`, while answers can still be recorded, unless
   * what this returns is called before.
   */
  beforeEnd(work: () => void): () => void {
    this.#installHooks();
    this.#unfinished.add(work);
    return () => void this.#unfinished.delete(work);
  }

  /** Appends a correction: the corrected answer, as a text, your commitment to it, or both. For tenant managers. */
  async correct(recordId: string, corrected: Text, options: EventOptions = {}): Promise<AnswerRecord> {
    const { text, hash } = toTextOrHash(corrected, 'corrected_answer', this.#options.mask);
    return this.#append(recordId, 'correction_appended', options, {
      ...(text === undefined ? {} : { corrected_answer_text: text }),
      ...(hash === undefined ? {} : { corrected_answer_hash: hash }),
    });
  }

  /** Marks a record as unusable. Nothing is deleted. For tenant managers. */
  async void(recordId: string, options: EventOptions = {}): Promise<AnswerRecord> {
    return this.#append(recordId, 'voided', options);
  }

  /** Erases the texts of a record and the evidence that is named. Commitments and history stay. For tenant managers. */
  async redact(recordId: string, options: RedactOptions = {}): Promise<AnswerRecord> {
    const { reasonCode, sourceRefIds } = options;
    return this.#append(recordId, 'redacted', options, {
      ...(reasonCode === undefined ? {} : { reason_code: reasonCode }),
      ...(sourceRefIds === undefined ? {} : { redact_source_ref_ids: [...sourceRefIds] }),
    });
  }

  /** A record with its texts, events and receipt. */
  async get(recordId: string): Promise<AnswerRecord> {
    return translated(this.client.records.get(recordId));
  }

  /** Every record of this application that matches, newest first, read page by page. */
  async *list(filters: RecordFilters = {}, pageSize?: number): AsyncGenerator<RecordSummary, void, void> {
    try {
      yield* this.client.records.listAll({ application_key: this.application, ...filters }, pageSize);
    } catch (error) {
      throw toEvidenceError(error);
    }
  }

  /** Keeps a file as evidence, streamed: a path, bytes, or anything that can be read again for another attempt. */
  async upload(
    source: EvidenceSource,
    metadata: EvidenceMetadata = {},
    place: EvidencePlace = {},
  ): Promise<CreatedEvidenceAsset> {
    const whole = { application_key: this.application, ...metadata };
    return translated(this.client.evidence.upload(toEvidenceFile(source), whole, place));
  }

  /** Keeps passages, a small content, or a reference to something that lies elsewhere. */
  async register(body: CreateEvidenceRequest, place: EvidencePlace = {}): Promise<CreatedEvidenceAsset> {
    return translated(this.client.evidence.register({ application_key: this.application, ...body }, place));
  }

  /** Retrieves passages of evidence, which the log shows. Within `scope` it is bound to the answers that follow. */
  async retrieve(assetId: string, body: RetrieveEvidenceRequest = {}): Promise<RetrievedEvidence> {
    const retrieved = await translated(this.client.evidence.retrieve(assetId, body));
    this.#scopes.add([retrieved.source_ref], [retrieved.access_event_id]);
    return retrieved;
  }

  /** The original of an asset or a part of it, piece by piece. An access too. */
  async download(assetId: string, body: DownloadEvidenceRequest = {}, recordId?: string): Promise<StreamReply> {
    return translated(this.client.evidence.download(assetId, body, recordId));
  }

  /** Compares your own list of answers with the records, and returns the run when it is over. */
  async reconcile(
    request: Omit<CreateRunRequest, 'application_key'>,
    { timeoutMs = RUN_TIMEOUT_MS, idempotencyKey }: { timeoutMs?: number; idempotencyKey?: string } = {},
  ): Promise<ReconciliationRun> {
    const body = { application_key: this.application, ...request };
    return translated(runToEnd(this.client, body, idempotencyKey, timeoutMs));
  }

  /**
   * An evidence pack of up to 200 records: one HTML file that verifies itself offline when it is opened. Each one is an
   * entry of the log. `withholdTexts` leaves the texts of question, answer and corrections out. For tenant managers.
   */
  async pack(
    recordIds: readonly string[],
    { withholdTexts = false }: { readonly withholdTexts?: boolean } = {},
  ): Promise<Uint8Array> {
    const texts = withholdTexts ? ({ texts: 'withheld' } as const) : {};
    return translated(this.client.trust.pack({ answer_log_ids: [...recordIds], ...texts }));
  }

  /**
   * Runs a function as one request of the application. The answers recorded in it, by whichever wrapper, have these
   * fields, its sources, and the evidence retrieved in it.
   */
  scope<T>(fields: ScopeFields, work: () => T): T {
    return this.#scopes.run(fields, work);
  }

  /** Adds sources to the answers that follow in the present scope. */
  addSources(...sources: readonly JsonObject[]): void {
    this.#scopes.add(sources);
  }

  /** Sends what waits, and returns how many answers still wait when all are sent or the time is over. */
  async flush(timeoutMs = FLUSH_TIMEOUT_MS): Promise<number> {
    return this.#queue.flush(timeoutMs);
  }

  /** Takes no more answers, and sends what waits. What is left then stays in the folder, or is lost and reported. */
  async close(timeoutMs = FLUSH_TIMEOUT_MS): Promise<number> {
    this.#finishWrappers();
    this.#isClosed = true;
    const left = await this.#queue.flush(timeoutMs);
    this.#queue.abandon();
    this.#removeHooks?.();
    this.#removeHooks = undefined;
    return left;
  }

  /** Tells `onError`, or warns where there is none. Never throws. */
  report(error: unknown): void {
    const shown = toEvidenceError(error);
    const told =
      shown instanceof EvidenceError ? shown : new EvidenceError('unexpected', 'an answer was lost', { cause: shown });
    const { onError } = this.#options;
    if (onError === undefined) warn(told);
    else callBack(() => onError(told));
  }

  async #append(
    recordId: string,
    eventType: CreateEventRequest['event_type'],
    { reason, idempotencyKey }: EventOptions,
    payload: NonNullable<CreateEventRequest['payload']> = {},
  ): Promise<AnswerRecord> {
    const { mask } = this.#options;
    const body: CreateEventRequest = {
      event_type: eventType,
      ...(reason === undefined ? {} : { reason: mask === undefined ? reason : mask(reason, 'reason') }),
      ...(Object.keys(payload).length === 0 ? {} : { payload }),
    };
    return translated(this.client.records.appendEvent(recordId, body, idempotencyKey));
  }

  #installHooks(): void {
    if (this.#options.flushOnExit === false || this.#removeHooks !== undefined) return;
    this.#removeHooks = installExitHooks({
      finish: async () => {
        this.#finishWrappers();
        if (this.#queue.size > 0 && (await this.#queue.flush(Infinity, END.idleMs)) > 0) this.#queue.abandon();
      },
      leave: () => {
        this.#finishWrappers();
        return this.#queue.leave(this.#endpoint);
      },
      giveUp: () => this.#queue.abandon(),
    });
  }

  #finishWrappers(): void {
    for (const work of this.#unfinished) callBack(work);
    this.#unfinished.clear();
  }
}
