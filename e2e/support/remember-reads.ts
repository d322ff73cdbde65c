import type pg from 'pg';
import { hookQueries, tablesNamed } from './hook-queries.ts';

/** Which table is altered now, if any: all others are as they were, and what was read of them is remembered. */
type RememberedReads = {
  altered: string | undefined;
  /** The tables that statements named since a caller put another set here. */
  readNow: Set<string>;
  /** Sends every statement again. */
  stop(): void;
};

const SILENCE = Promise.resolve({ rows: [] });

/**
 * Remembers what the connections of this thread read. While a table is altered, a statement that does not name it is
 * answered from memory, and a transaction in which nothing has to be read is not opened.
 */
export function rememberReads(tables: readonly string[]): RememberedReads {
  const remembered = new Map<string, Promise<unknown>>();
  const namedBy = new Map<string, readonly string[]>();
  /** How a connection opens its transaction, until a statement of it is sent: most are remembered, and need none. */
  const openings = new WeakMap<pg.Client, (() => Promise<unknown>)[]>();
  const stop = hookQueries(({ client, text, values, setting, send }) => {
    const opening = openings.get(client);
    if (text.startsWith('begin') && text.endsWith('read only')) {
      openings.set(client, [send]);
      return SILENCE;
    }
    if (opening !== undefined && text.includes('set_config')) {
      opening.push(send);
      return SILENCE;
    }
    openings.delete(client);
    if (opening !== undefined && text === 'rollback') return SILENCE;
    const sendOpened = () => {
      // A statement in a transaction that did not open fails as well, and says so.
      for (const open of opening ?? []) open().catch(() => undefined);
      return send();
    };
    const named = namedBy.get(text) ?? tablesNamed(text, tables);
    namedBy.set(text, named);
    for (const table of named) reads.readNow.add(table);
    const { altered } = reads;
    if (altered === undefined || named.length === 0 || named.includes(altered) || !text.startsWith('select'))
      return sendOpened();
    const key = JSON.stringify([setting, text, values]);
    const known = remembered.get(key);
    if (known === undefined) {
      const result = sendOpened();
      remembered.set(key, result);
      return result;
    }
    if (opening !== undefined) openings.set(client, opening);
    return known;
  });
  const reads: RememberedReads = { altered: undefined, readNow: new Set(), stop };
  return reads;
}
