import type pg from 'pg';

/** Where the parts of sealed contents lie; only their owner has rights to it. */
export const PARTS_SCHEMA = 'answer_evidence_parts';

/** A part: the contents of objects with `from <= id < to`; null where it has no bound. */
export type Part = {
  /** With its schema, quoted. */
  readonly name: string;
  readonly from: string | null;
  readonly to: string | null;
  /** With its TOAST table, without its indexes. */
  readonly bytes: number;
};

type Row = { readonly name: string; readonly bound: string; readonly bytes: string };

const PARTS = `select format('%I.%I', n.nspname, c.relname) as name, pg_get_expr(c.relpartbound, c.oid) as bound,
    pg_table_size(c.oid)::text as bytes
  from pg_inherits i join pg_class c on c.oid = i.inhrelid join pg_namespace n on n.oid = c.relnamespace
  where i.inhparent = 'answer_evidence.sealed_contents'::regclass`;
const BOUND = /^FOR VALUES FROM \((?:MINVALUE|'([0-9a-f-]{36})')\) TO \((?:MAXVALUE|'([0-9a-f-]{36})')\)$/;

/** The parts of sealed contents in their order. The last one has no upper bound. */
export async function listParts(client: Pick<pg.ClientBase, 'query'>): Promise<readonly Part[]> {
  const { rows } = await client.query<Row>(PARTS);
  return rows
    .map(({ name, bound, bytes }) => {
      const found = BOUND.exec(bound);
      if (found === null) throw new Error(`the part ${name} has a bound of another form`);
      return { name, from: found[1] ?? null, to: found[2] ?? null, bytes: Number(bytes) };
    })
    .toSorted((a, b) => ((a.from ?? '') < (b.from ?? '') ? -1 : 1));
}

/** About 17 minutes: how exactly it is noted where something was erased. */
const SPAN_MS = 2 ** 20;

/** The span of time in which an id was made, as its first 48 bits say. */
export function spanOf(id: string): number {
  return Math.floor(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16) / SPAN_MS);
}

/** Whether the part has ids of this span. */
export function hasSpan({ from, to }: Part, span: number): boolean {
  return (from === null || spanOf(from) <= span) && (to === null || span <= spanOf(to));
}

/** The least id that is made from this millisecond on. */
export function leastIdOf(milliseconds: number): string {
  const hex = Math.ceil(milliseconds).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}
