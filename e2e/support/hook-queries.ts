import pg from 'pg';

/** A statement on its way to the database; `setting` is what its transaction was last given, such as a workspace. */
export type Statement = {
  readonly client: pg.Client;
  readonly text: string;
  readonly values: readonly unknown[];
  readonly setting: string;
  readonly send: () => Promise<unknown>;
};

type Config = { readonly text: string; readonly values?: readonly unknown[] };
type Callback = (error: Error | null, result?: unknown) => void;

/** Gives each statement, of every connection of this thread, to the hook. Calling the result ends it. */
export function hookQueries(hook: (statement: Statement) => Promise<unknown>): () => void {
  const prototype = pg.Client.prototype as unknown as {
    query: (this: pg.Client, ...args: readonly unknown[]) => Promise<unknown> | undefined;
  };
  const { query } = prototype;
  const settings = new WeakMap<pg.Client, string>();
  prototype.query = function (...args) {
    const [config] = args as [Config | string];
    const { text, values = args.find(Array.isArray) ?? [] } = typeof config === 'string' ? { text: config } : config;
    if (text.includes('set_config')) settings.set(this, JSON.stringify(values));
    const send = async () =>
      query.apply(
        this,
        args.filter((arg) => typeof arg !== 'function'),
      );
    const sent = hook({ client: this, text, values, setting: settings.get(this) ?? '', send });
    const callback = args.find((arg) => typeof arg === 'function') as Callback | undefined;
    if (callback === undefined) return sent;
    sent.then((result) => callback(null, result), callback);
    return undefined;
  };
  return () => {
    prototype.query = query;
  };
}

/** Functions of the schema that read a table whose name their callers do not say. */
const READERS: Readonly<Record<string, string>> = { first_leaf_at: 'ledger_leaves' };

/** The tables of the list that a statement reads or writes. */
export function tablesNamed(text: string, tables: readonly string[]): readonly string[] {
  const words = new Set(text.match(/\w+/g));
  for (const [name, table] of Object.entries(READERS)) if (words.has(name)) words.add(table);
  return tables.filter((table) => words.has(table));
}
