import type { Consumer, ObjectStore, OutboxRelay } from '@answer-evidence/ports';
import type { openPool, PostgresLedger } from '@answer-evidence/postgres';
import type { Tracing } from './tracing.ts';

type Pool = ReturnType<typeof openPool>;

/** Words of SQL that may name a span; a statement that begins otherwise has none. */
const VERBS: ReadonlySet<string> = new Set([
  'begin',
  'commit',
  'delete',
  'insert',
  'rollback',
  'select',
  'set',
  'update',
  'with',
]);

const POSTGRES = { 'db.system.name': 'postgresql' };

/** Has each append to a log be a span. */
export function traceLedger(ledger: PostgresLedger, tracing: Tracing): PostgresLedger {
  return {
    ...ledger,
    append: (workspaceId, prepare) => tracing.span('ledger append', {}, () => ledger.append(workspaceId, prepare)),
    appendAll: (workspaceId, commands) =>
      tracing.span('ledger append', {}, () => ledger.appendAll(workspaceId, commands)),
  };
}

/** Has each delivery of a job be a trace of its own. */
export function traceConsumer(consumer: Consumer, tracing: Tracing): Consumer {
  const attributes = { 'messaging.destination.name': consumer.topic };
  return {
    ...consumer,
    run: (job, signal) => tracing.span(`job ${consumer.topic}`, attributes, async () => consumer.run(job, signal)),
  };
}

/** Notes each time that jobs were handed over; the many looks that find none are not noted. */
export function traceRelay(relay: OutboxRelay, tracing: Tracing): OutboxRelay {
  return {
    ...relay,
    async dispatch(topics, limit, deliver) {
      const beganAt = Date.now();
      const dispatched = await relay.dispatch(topics, limit, deliver);
      if (dispatched > 0) tracing.note('outbox dispatch', { 'messaging.batch.message_count': dispatched }, beganAt);
      return dispatched;
    },
  };
}

/** Has the calls of an object store be spans. The names of objects contain ids of tenants, and are left out. */
export function traceObjects(store: ObjectStore, tracing: Tracing): ObjectStore {
  return {
    put: (name, content) => tracing.detail('object_store put', {}, () => store.put(name, content)),
    read: (name, range) => traceSteps('object_store read', store.read(name, range), tracing),
    find: (name) => tracing.detail('object_store find', {}, () => store.find(name)),
    delete: (name) => tracing.detail('object_store delete', {}, () => store.delete(name)),
    list: (options) => traceSteps('object_store list', store.list(options), tracing),
    deleteRemains: (beforeMicros) =>
      tracing.detail('object_store delete_remains', {}, () => store.deleteRemains(beforeMicros)),
  };
}

/** One span from the first step of an iteration to its end, also where it is given up. */
function traceSteps<T>(name: string, steps: AsyncIterable<T>, tracing: Tracing): AsyncIterable<T> {
  return {
    async *[Symbol.asyncIterator]() {
      const ended = Promise.withResolvers<void>();
      const span = tracing.detail(name, {}, () => ended.promise);
      // What it throws is thrown below.
      span.catch(() => undefined);
      try {
        yield* steps;
        ended.resolve();
      } catch (error) {
        ended.reject(error);
        throw error;
      } finally {
        ended.resolve();
      }
    },
  };
}

/** Has each statement be a span by its name, inside of others only. Neither texts nor parameters are looked at. */
export function tracePool(pool: Pool, tracing: Tracing): Pool {
  type Query = (...given: unknown[]) => unknown;
  pool.on('connect', (client) => {
    const patched = client as unknown as { query: Query };
    const query = patched.query.bind(client);
    patched.query = (...given) => {
      // The driver's own forms, by callback or as an object that is submitted, are left alone.
      if (typeof given.at(-1) === 'function' || isSubmittable(given[0])) return query(...given);
      const name = nameOf(given[0]);
      return tracing.detail(
        `postgres ${name}`,
        { ...POSTGRES, 'db.operation.name': name },
        () => query(...given) as Promise<unknown>,
      );
    };
  });
  const patched = pool as unknown as { query: Query };
  const query = patched.query.bind(pool);
  patched.query = (...given) => {
    if (typeof given.at(-1) === 'function') return query(...given);
    const name = nameOf(given[0]);
    // The pool asks its client by callback, which makes no second span.
    return tracing.detail(
      `postgres ${name}`,
      { ...POSTGRES, 'db.operation.name': name },
      () => query(...given) as Promise<unknown>,
    );
  };
  return pool;
}

function isSubmittable(given: unknown): boolean {
  return typeof given === 'object' && given !== null && 'submit' in given;
}

/** The name of a prepared statement, which is ours, or its first word. */
function nameOf(given: unknown): string {
  if (typeof given === 'object' && given !== null && 'name' in given && typeof given.name === 'string')
    return given.name;
  const text =
    typeof given === 'string'
      ? given
      : typeof given === 'object' && given !== null && 'text' in given
        ? given.text
        : '';
  const [word = ''] = /^\s*\w+/.exec(typeof text === 'string' ? text : '') ?? [];
  const verb = word.trim().toLowerCase();
  return VERBS.has(verb) ? verb : 'statement';
}
