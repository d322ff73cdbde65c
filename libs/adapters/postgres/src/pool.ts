import pg from 'pg';
import { StoredDamageError } from '@answer-evidence/ports';
import { destroyConnection } from './append/send-transaction.ts';
import type { DatabaseRole, SessionSettings } from './assert-session.ts';
import { NodeQuestions } from './distribution/node-questions.ts';
import type { ServerWatch } from './server-watch.ts';
import { sessionOf } from './session-settings.ts';
import { WatchedClient } from './watched-client.ts';
import { isSpread } from './workspace-setting.ts';

const INT8_OID = 20;

function parseSafeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new StoredDamageError('a bigint from the database is not a safe integer');
  return value;
}

/**
 * Limits of time, so that a stopped process holds nothing up. One that is paused in a transaction stalls the creates of
 * a workspace for 5 s at most, with what the next writer takes.
 */
const LIMITS = { lock_timeout: '2s', statement_timeout: '10s', idle_in_transaction_session_timeout: '4s' };

/**
 * Commits are durable. Those of the relay say only how far a job is, and a job that runs again changes nothing: waiting
 * for the disk, they would hold up each commit that somebody waits for.
 */
function settingsOf(role: DatabaseRole): SessionSettings {
  return { ...LIMITS, synchronous_commit: role === 'answer_evidence_relay' ? 'off' : 'on' };
}

/** Each statement has 10 s. Who has heard nothing for so long is connected to nothing, though nobody has said so. */
const ANSWER_MS_MAX = 30_000;
/** Less than the 5 s within which a caller hears that the database is unavailable. */
const CONNECT_MS_MAX = 4_000;

/** Connections that can be given up together, while the database accepts questions and answers none. */
export class ServicePool extends pg.Pool {
  readonly #open: Set<pg.ClientBase>;
  #isSilent = false;
  /** Where its connections lead to a database whose tables are on nodes: asks them. Known from the first one on. */
  nodes: NodeQuestions | undefined;

  constructor(config: PipelinePoolConfig, open: Set<pg.ClientBase>) {
    super(config as unknown as pg.PoolConfig);
    this.#open = open;
  }

  /** Breaks every connection: whatever waits for an answer fails now. */
  breakConnections(): void {
    for (const client of this.#open) destroyConnection(client);
  }

  /** While set, nobody gets a connection, and nobody waits for one. */
  set isSilent(isSilent: boolean) {
    this.#isSilent = isSilent;
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: ConnectCallback): void;
  override connect(callback?: ConnectCallback): Promise<pg.PoolClient> | void {
    if (!this.#isSilent) return callback === undefined ? super.connect() : super.connect(callback);
    const error = new Error('the database answers no connection');
    if (callback === undefined) return Promise.reject(error);
    process.nextTick(callback, error, undefined, () => undefined);
  }
}

/** What pg takes and its types do not know, and what `WatchedClient` takes. */
type PipelinePoolConfig = Omit<pg.PoolConfig, 'Client'> & {
  readonly Client: typeof WatchedClient;
  readonly answerMsMax: number;
  readonly onDiskFull: (() => void) | undefined;
  readonly pipeline: boolean;
  readonly onConnect: (client: pg.ClientBase) => Promise<void>;
};

type ConnectCallback = Parameters<InstanceType<typeof pg.Pool>['connect']>[0];

/**
 * Connections that pipeline. Each one is looked at before its first use: it has our settings and, unless it is the
 * owner's, the rights of `role` and no more. Else `DatabaseSetupError` is thrown. `onError` gets errors of idle
 * connections, which else are fatal.
 */
export function openPool(options: {
  readonly url: string;
  readonly role: DatabaseRole;
  readonly connectionsMax: number;
  readonly onError: (error: Error) => void;
  /** Looks where each connection leads; without it, it may lead anywhere. */
  readonly watch?: ServerWatch | undefined;
  /** Whether it is for writing only, so that a standby is of no use. */
  readonly isForWrites?: boolean;
  /** Is told of each refusal for want of room. */
  readonly onDiskFull?: () => void;
  /** How long an answer may take before its connection counts as broken; for tests. */
  readonly answerMsMax?: number;
}): ServicePool {
  const { assert, ...session } = sessionOf(options.url, options.role, settingsOf(options.role));
  const open = new Set<pg.ClientBase>();
  const config: PipelinePoolConfig = {
    Client: WatchedClient,
    answerMsMax: options.answerMsMax ?? ANSWER_MS_MAX,
    onDiskFull: options.onDiskFull,
    ...session,
    max: options.connectionsMax,
    connectionTimeoutMillis: CONNECT_MS_MAX,
    idleTimeoutMillis: 30_000,
    application_name: 'answer-evidence',
    pipeline: true,
    async onConnect(client) {
      open.add(client);
      client.once('end', () => open.delete(client));
      await assert(client);
      if (isSpread(client)) pool.nodes ??= new NodeQuestions();
      await options.watch?.take(client, options.isForWrites !== true);
    },
    types: {
      getTypeParser: (oid: number, format?: string) =>
        oid === INT8_OID && format !== 'binary'
          ? parseSafeInteger
          : (pg.types.getTypeParser(oid, format as 'text') as unknown),
    },
  };
  const pool = new ServicePool(config, open);
  // `end` resolves before the sockets are closed: a server that stops then is no error.
  pool.on('error', (error) => {
    if (!pool.ending) options.onError(error);
  });
  // The pool listens to idle connections only. One that breaks in use rejects its queries, which is how its user hears
  // of it; without a listener the same error would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}
