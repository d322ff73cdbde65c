import { readFileSync } from 'node:fs';
import { type CheckpointStore, type ClientOptions, createClient } from '@answer-evidence/client';
import { createFileStore, createProxiedFetch } from '@answer-evidence/client/node';
import { type AnswerRecord, type TrustFile, trustFile } from '@answer-evidence/contracts';
import type { Mask } from './answer.ts';
import { ConfigurationError, type EvidenceError } from './errors.ts';

/** How answers wait until the service has them. */
export type QueueOptions = {
  /** Most answers that wait or are being sent; default 1,000, in a folder 10,000. */
  readonly max?: number;
  /** Most characters that all of these may have as JSON; default 64 Mi, in a folder not counted. */
  readonly maxCharacters?: number;
  /**
   * What `record` does while the queue is full: `drop` reports the answer to `onError` (default), `wait` returns when
   * there is room (default in a folder), `throw` rejects with `QueueError`.
   */
  readonly overflow?: 'drop' | 'wait' | 'throw';
  /** Most requests at a time; default 4. */
  readonly concurrency?: number;
  /**
   * A folder of this machine. Each answer is a file on the disk when `record` returns, and is sent by the next process
   * with this folder if this one ends before. Its files hold the texts, masked, and only this user may read them.
   */
  readonly folder?: string;
};

/** Options of an `AnswerEvidence`. */
export type Options = {
  /** The application whose answers these are; the token must be allowed to record for it. */
  readonly application: string;
  /** Default of every answer; the service's default is `production`. */
  readonly environment?: string;
  /** Base URL of the workspace API host; default `ANSWER_EVIDENCE_URL`, then `SERVICE_REGISTRY`. */
  readonly url?: string;
  /** Default `ANSWER_EVIDENCE_TOKEN`, then `SERVICE_TOKEN`. */
  readonly token?: string;
  /**
   * `open` (default): `record` returns as soon as the answer is in the queue, and later failures go to `onError`.
   * `closed`: `record` returns when the service has recorded the answer, and rejects when it has not.
   */
  readonly fail?: 'open' | 'closed';
  readonly queue?: QueueOptions;
  /** Masks texts before they leave the process. */
  readonly mask?: Mask;
  /** Is told what nobody else hears of; default: a warning of the process, without texts. */
  readonly onError?: (error: EvidenceError) => void;
  /** Is given each record from the queue, with its receipt. */
  readonly onRecorded?: (record: AnswerRecord) => void;
  /** The logs and keys that are believed, or the path of a trust file. With it every receipt is verified. */
  readonly trust?: TrustFile | string;
  /** Where the newest verified checkpoint of each log is remembered: a folder or a store; default: in memory. */
  readonly checkpoints?: CheckpointStore | string;
  /** Limit of one attempt of a request; default 10 s. */
  readonly timeoutMs?: number;
  /** Whether the end of the process and SIGTERM, SIGINT and SIGHUP wait for the queue, 5 s at most; default true. */
  readonly flushOnExit?: boolean;
  /** Default: that of the platform, through the proxies of the environment: HTTPS_PROXY, HTTP_PROXY and NO_PROXY. */
  readonly fetch?: typeof fetch;
};

const TIMEOUT_MS = 10_000;
const QUEUE_MAX = 1_000;
const FOLDER_MAX = 10_000;
const CHARACTERS_MAX = 64 * 1024 * 1024;
const CONCURRENCY = 4;

/** What a queue is bounded by. */
export type QueueLimits = Required<Pick<QueueOptions, 'max' | 'maxCharacters' | 'overflow' | 'concurrency'>>;

/** The options of the client, from options and environment. Throws `ConfigurationError`. */
export function readClientOptions(
  options: Options,
  environment: Readonly<Record<string, string | undefined>>,
): ClientOptions {
  const { url = environment['ANSWER_EVIDENCE_URL'] ?? environment['SERVICE_REGISTRY'] } = options;
  const { token = environment['ANSWER_EVIDENCE_TOKEN'] ?? environment['SERVICE_TOKEN'] } = options;
  if (url === undefined)
    throw new ConfigurationError('the service is not named: set ANSWER_EVIDENCE_URL, or give the option url');
  if (token === undefined)
    throw new ConfigurationError('there is no token: set ANSWER_EVIDENCE_TOKEN, or give the option token');
  const { checkpoints } = options;
  const trust = options.trust === undefined ? undefined : readTrust(options.trust);
  if (trust === undefined && checkpoints !== undefined)
    throw new ConfigurationError('checkpoints are remembered of verified receipts only: give the option trust, too');
  const store = typeof checkpoints === 'string' ? createFileStore(checkpoints) : checkpoints;
  const send = options.fetch ?? createFetch(environment);
  const clientOptions: ClientOptions = {
    registry: url,
    token,
    timeoutMs: readCount('timeoutMs', options.timeoutMs ?? TIMEOUT_MS),
    ...(send === undefined ? {} : { fetch: send }),
    ...(trust === undefined ? {} : { receipts: { trust, ...(store === undefined ? {} : { store }) } }),
  };
  try {
    createClient(clientOptions);
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    throw new ConfigurationError(cause.message.replace('registry', 'URL of the service'), { cause });
  }
  return clientOptions;
}

/** Bun and Deno go through the proxies of the environment by themselves. */
function createFetch(environment: Readonly<Record<string, string | undefined>>): typeof fetch | undefined {
  if ('Bun' in globalThis || 'Deno' in globalThis) return undefined;
  try {
    return createProxiedFetch(environment);
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    throw new ConfigurationError(cause.message, { cause });
  }
}

/** The bounds of the queue. Throws `ConfigurationError`. */
export function readQueueLimits(options: Options): QueueLimits {
  const { application, fail, queue = {} } = options;
  if (typeof application !== 'string' || application === '')
    throw new ConfigurationError('the option application must name the application');
  assertOneOf('fail', fail, ['open', 'closed']);
  assertOneOf('queue.overflow', queue.overflow, ['drop', 'wait', 'throw']);
  const inFolder = queue.folder !== undefined;
  if (inFolder && fail === 'closed')
    throw new ConfigurationError('with fail: closed nothing waits, so there is no queue for a folder: leave one out');
  if (inFolder && queue.overflow === 'drop')
    throw new ConfigurationError('a queue in a folder keeps what it took: choose the overflow wait or throw');
  return {
    max: readCount('queue.max', queue.max ?? (inFolder ? FOLDER_MAX : QUEUE_MAX)),
    maxCharacters: inFolder
      ? Number.POSITIVE_INFINITY
      : readCount('queue.maxCharacters', queue.maxCharacters ?? CHARACTERS_MAX),
    overflow: queue.overflow ?? (inFolder ? 'wait' : 'drop'),
    concurrency: readCount('queue.concurrency', queue.concurrency ?? CONCURRENCY),
  };
}

/** Programs in JavaScript have no types that would say so. */
function assertOneOf(name: string, value: string | undefined, values: readonly string[]): void {
  if (value !== undefined && !values.includes(value))
    throw new ConfigurationError(`the option ${name} must be one of ${values.join(', ')}`);
}

function readCount(name: string, value: number): number {
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new ConfigurationError(`the option ${name} must be a positive whole number`);
}

function readTrust(trust: TrustFile | string): TrustFile {
  try {
    const value: unknown = typeof trust === 'string' ? JSON.parse(readFileSync(trust, 'utf8')) : trust;
    return trustFile.parse(value);
  } catch (cause) {
    const which = typeof trust === 'string' ? `the trust file ${trust}` : 'the option trust';
    throw new ConfigurationError(`${which} cannot be read: give a file that \`trust export\` wrote`, { cause });
  }
}
