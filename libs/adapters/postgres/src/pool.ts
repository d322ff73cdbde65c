import pg from 'pg';
import { StoredDamageError } from '@answer-evidence/ports';
import { assertSession, type DatabaseRole } from './assert-session.ts';

const INT8_OID = 20;

function parseSafeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new StoredDamageError('a bigint from the database is not a safe integer');
  return value;
}

/** What each connection has to have: limits of time, so that a stopped process holds nothing up; durable commits. */
const SESSION = {
  lock_timeout: '2s',
  statement_timeout: '10s',
  idle_in_transaction_session_timeout: '5s',
  synchronous_commit: 'on',
  search_path: 'answer_evidence',
  row_security: 'on',
};

/** Each statement has 10 s. Who has heard nothing for so long is connected to nothing, though nobody has said so. */
const ANSWER_MS_MAX = 30_000;

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
  /** How long an answer may take before its connection counts as broken; for tests. */
  readonly answerMsMax?: number;
}): pg.Pool {
  const { url, asked } = splitUrl(options.url);
  const config: pg.PoolConfig & { pipeline: boolean; onConnect: (client: pg.ClientBase) => Promise<void> } = {
    connectionString: url,
    max: options.connectionsMax,
    connectionTimeoutMillis: 5_000,
    query_timeout: options.answerMsMax ?? ANSWER_MS_MAX,
    idleTimeoutMillis: 30_000,
    // Ours come last, and the last one wins.
    options: [...asked, ...Object.entries(SESSION).map(([name, value]) => `-c ${name}=${value}`)].join(' '),
    application_name: 'answer-evidence',
    pipeline: true,
    onConnect: (client) => assertSession(client, SESSION, options.role),
    types: {
      getTypeParser: (oid: number, format?: string) =>
        oid === INT8_OID && format !== 'binary'
          ? parseSafeInteger
          : (pg.types.getTypeParser(oid, format as 'text') as unknown),
    },
  };
  const pool = new pg.Pool(config);
  // `end` resolves before the sockets are closed: a server that stops then is no error.
  pool.on('error', (error) => {
    if (!pool.ending) options.onError(error);
  });
  // The pool listens to idle connections only. One that breaks in use rejects its queries, which is how its user hears
  // of it; without a listener the same error would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/**
 * A URL without what is ours to set, and the options that it asks for. The driver lets a URL win over everything else:
 * with options of its own (some providers want them) connections would not have our settings, and under another name no
 * operator's command would see them.
 */
function splitUrl(text: string): { readonly url: string; readonly asked: readonly string[] } {
  const url = new URL(text);
  const asked = url.searchParams.getAll('options');
  const settled = ['options', 'application_name'].filter((name) => url.searchParams.has(name));
  if (settled.length === 0) return { url: text, asked };
  for (const name of settled) url.searchParams.delete(name);
  return { url: url.href, asked };
}
