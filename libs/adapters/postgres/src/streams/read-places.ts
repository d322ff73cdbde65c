import type { EntryType } from '@answer-evidence/contracts';
import { canonicalize } from '@answer-evidence/encoding';
import { describeEvidenceRegisteredCore, formatCore } from '@answer-evidence/ledger';
import type { StoredPlace } from '@answer-evidence/ports';
import {
  type AnyTable,
  EVIDENCE_ASSETS,
  type EvidenceAssetRow,
  type LeafRow,
  LEAVES,
  RECORDS,
  TABLES,
  WORKSPACE_ENTRIES,
} from '@answer-evidence/tables';
import { select } from '../rows/rows.ts';
import type { Query } from '../session.ts';

/** Where the object of a leaf is stored, and what finds it by a key. */
type Source = { readonly table: AnyTable; readonly found: string; readonly idColumn: string };

const source = (table: { readonly name: string }, found: string, idColumn = 'id'): Source => ({
  table: table as AnyTable,
  found,
  idColumn,
});

/** Those tables whose rows each have a leaf; most of their keys begin with what the row belongs to. */
const WITH_LEAF = Object.values<AnyTable>(TABLES).flatMap((table) => {
  const [owner = 'id'] = table.key;
  const found = `t.id = l.id${owner === 'id' ? '' : ` and t.${owner} = l.subject`}`;
  return table.leafType === undefined ? [] : [[table.leafType, source(table, found)] as const];
});

const OBJECTS: Readonly<Partial<Record<EntryType, Source>>> = {
  ...Object.fromEntries(WITH_LEAF),
  answer_recorded: source(RECORDS, 't.id = l.id'),
  evidence_registered: source(EVIDENCE_ASSETS, 't.id = l.subject and t.entry_id = l.id', 'entry_id'),
};
const OF_WORKSPACE = source(WORKSPACE_ENTRIES, 't.id = l.id');

type Row = Readonly<Record<string, unknown>>;

/** The places `from` to before `to` of a log, each with its leaf and the core of its object, as far as they exist. */
export async function readPlaces(
  query: Query,
  workspaceId: string,
  from: number,
  to: number,
): Promise<readonly StoredPlace[]> {
  const leaves = await query<LeafRow>(
    'stream_leaves',
    `select ${select('l', LEAVES)} from answer_evidence.ledger_leaves l
       where l.workspace_id = $1 and l.leaf_index >= $2 and l.leaf_index < $3`,
    [workspaceId, from, to],
  );
  const sources = new Set(leaves.map(({ type }) => OBJECTS[type] ?? OF_WORKSPACE));
  const cores = new Map<string, string | undefined>();
  await Promise.all(
    [...sources].map(async (one) => {
      const rows = await query<Row>(`stream_${one.table.name}`, formatRead(one), [workspaceId, from, to]);
      for (const row of rows) cores.set(`${one.table.name}/${String(row[one.idColumn])}`, coreTextOf(one.table, row));
    }),
  );
  const leafAt = new Map(leaves.map((leaf) => [leaf.leaf_index, leaf]));
  return Array.from({ length: to - from }, (_, n) => {
    const leaf = leafAt.get(from + n);
    const place = leaf && `${(OBJECTS[leaf.type] ?? OF_WORKSPACE).table.name}/${leaf.id}`;
    return { leafIndex: from + n, leaf, coreText: place === undefined ? undefined : cores.get(place) };
  });
}

/** Each look-up is fenced, so that it goes by a key whatever the planner knows. */
function formatRead({ table, found }: Source): string {
  return `select ${select('o', table)} from answer_evidence.ledger_leaves l
    join lateral (select ${select('t', table)} from answer_evidence.${table.name} t
      where t.workspace_id = $1 and ${found} offset 0) o on true
    where l.workspace_id = $1 and l.leaf_index >= $2 and l.leaf_index < $3`;
}

/** Undefined for columns of which no text can be made. */
function coreTextOf(table: AnyTable, row: Row): string | undefined {
  try {
    if (table.name === WORKSPACE_ENTRIES.name) return String(row.core_json);
    if (table.name === EVIDENCE_ASSETS.name)
      return canonicalize(describeEvidenceRegisteredCore(row as unknown as EvidenceAssetRow));
    return formatCore(table, row);
  } catch {
    return undefined;
  }
}
