import { answerSpan, OTEL, traces } from '../scenery/otlp.ts';
import type { SplitPlace } from '../scenery/split-place.ts';

/** What callers were told, and how long they had to wait for it. */
export type LoadResult = {
  /** Records by key: the id, or '' where OTLP says only that it has it. */
  readonly records: ReadonlyMap<string, string>;
  readonly assets: ReadonlyMap<string, string>;
  readonly runs: readonly string[];
  /** When a create was acknowledged, by `performance.now()`. */
  readonly createdAt: readonly number[];
  readonly failures: ReadonlyMap<string, number>;
};

/** Callers at work. */
type Load = {
  readonly createdAt: readonly number[];
  /** Begins no more, waits for what is under way up to the deadline, and says what came of it all. */
  stop(deadlineMs: number): Promise<LoadResult>;
};

/** What the load and its judge read of replies; each reply has the members of its operation. */
export type Reply = {
  readonly id: string;
  readonly status: string;
  readonly outcome: string;
  readonly next_cursor: string | null;
  readonly items: readonly Item[];
};

/** A record, an asset or a checkpoint of a list. */
export type Item = {
  readonly id: string;
  readonly idempotency_key: string;
  readonly tree_size: number;
  readonly ledger: { readonly leaf_index: number };
};

/** A call as the manager of the workspace. */
export type Call = (
  method: string,
  path: string,
  body?: object | FormData,
  options?: { readonly key?: string; readonly patienceMs?: number },
) => Promise<Reply>;

const PAUSE_MS = { create: 40, otlp: 250, asset: 400, run: 1_500, retry: 100 };
const CALL_MS = 30_000;
/** A caller of a create tries again, with the same key, when nothing has come for so long. */
const CREATE_MS = 3_000;

/** Calls the installation; rejects with what a caller would see. */
export function createCall({ url }: Pick<SplitPlace, 'url'>, token: string): Call {
  return async (method, path, body, { key, patienceMs = CALL_MS } = {}) => {
    const isForm = body instanceof FormData;
    const response = await fetch(`${url}${path}`, {
      method,
      signal: AbortSignal.timeout(patienceMs),
      headers: {
        Authorization: `Bearer ${token}`,
        ...(isForm || body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(key === undefined ? {} : { 'Idempotency-Key': key }),
      },
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${response.status} ${/"code":"(\w+)"/.exec(text)?.[1] ?? ''}`);
    return JSON.parse(text) as Reply;
  };
}

/** Creates, OTLP, uploads and runs until they are stopped; each is repeated with its key until it is acknowledged. */
export function startLoad(call: Call): Load {
  const records = new Map<string, string>();
  const assets = new Map<string, string>();
  const runs: string[] = [];
  const createdAt: number[] = [];
  const failures = new Map<string, number>();
  let isOver = false;
  let hasExpired = false;

  async function work(lane: string, pauseMs: number, once: (key: string) => Promise<void>): Promise<void> {
    for (let n = 0; !isOver; n++) {
      await repeat(lane, () => once(`${lane}-${n}`));
      await pause(pauseMs);
    }
  }
  async function repeat(lane: string, once: () => Promise<void>): Promise<void> {
    while (!hasExpired)
      try {
        return await once();
      } catch (error) {
        const what = `${lane.replace(/\d+$/, '')}: ${error instanceof Error ? error.message : 'unknown'}`;
        failures.set(what, (failures.get(what) ?? 0) + 1);
        await pause(PAUSE_MS.retry);
      }
  }
  async function create(key: string): Promise<void> {
    const body = {
      application_key: 'support-bot',
      idempotency_key: key,
      question: { text: key },
      answer: { text: key },
    };
    const { id } = await call('POST', '/api/answer-audit-logs', body, { patienceMs: CREATE_MS });
    records.set(key, id);
    createdAt.push(performance.now());
  }
  const lanes = [
    work('create1', PAUSE_MS.create, create),
    work('create2', PAUSE_MS.create, create),
    work('otlp', PAUSE_MS.otlp, async (key) => {
      await call('POST', `${OTEL}/v1/traces`, traces([answerSpan(Number(key.split('-')[1]), key)]));
      records.set(key, '');
    }),
    work('asset', PAUSE_MS.asset, async (key) => {
      const form = new FormData();
      form.set('metadata', new Blob(['{"application_key":"support-bot"}'], { type: 'application/json' }));
      form.set('file', new File([`the evidence ${key}`], 'evidence.txt'));
      assets.set(key, (await call('POST', '/api/evidence-assets', form, { key })).id);
    }),
    work('run', PAUSE_MS.run, async () => {
      const now = Date.now();
      const body = {
        application_key: 'support-bot',
        window_start: new Date(now - 60_000).toISOString(),
        window_end: new Date(now - 1_000).toISOString(),
        match_on: 'idempotency_key',
        references: [{ reference_id: 'create1-0', occurred_at: new Date(now - 30_000).toISOString() }],
      };
      runs.push((await call('POST', '/api/reconciliations/runs', body)).id);
    }),
  ];
  return {
    createdAt,
    async stop(deadlineMs) {
      isOver = true;
      const expiring = setTimeout(() => (hasExpired = true), deadlineMs);
      await Promise.all(lanes);
      clearTimeout(expiring);
      return { records, assets, runs, createdAt, failures };
    },
  };
}

/** Waits. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
