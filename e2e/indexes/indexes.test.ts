import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { REPOSITORY } from '../../tools/scenery/service-process.ts';
import { isPlanned } from '../previous-release/statements.ts';
import { noteStatements } from '../support/note-statements.ts';
import { readEveryRoute } from '../support/read-every-route.ts';
import { openRichWorkspace } from '../support/rich-workspace.ts';
import { RULES, STATEMENTS } from './claims.ts';

const MINUTES_MS = 60_000;
const ADAPTER = join(REPOSITORY, 'libs/adapters/postgres/src');

/** Lists of records by each of their filters. */
const FILTERS = [
  'application_key=support-bot',
  'application_key=support-bot&environment=production',
  'application_key=support-bot&actor_id_hash=a',
  'environment=production',
  'mode=live',
  'actor_id_hash=a',
  'session_id_hash=s',
  'external_trace_id=t',
  'external_message_id=m',
  'idempotency_key=k',
  'status=voided',
  'status=recorded',
  'status=recorded&actor_id_hash=a',
  'created_after=2026-01-01T00:00:00Z',
];

type Node = { readonly 'Index Name'?: string; readonly Plans?: readonly Node[] };
type Index = { readonly name: string; readonly is_primary: boolean; readonly is_unique: boolean };

const sent = new Set<string>();
let owner: pg.Client;
let close: () => Promise<void> = () => Promise.resolve();

beforeAll(async () => {
  const stop = noteStatements((_, text) => {
    if (isPlanned(text) && text.includes('answer_evidence.')) sent.add(text);
  });
  const { records, service } = await openRichWorkspace({ isTileFull: true });
  close = () => service.close();
  await readEveryRoute(service, records);
  for (const filter of FILTERS)
    expect((await service.call('GET', `/api/answer-audit-logs?${filter}`)).status).toBe(200);
  stop();
  owner = new pg.Client({ connectionString: service.databaseUrl });
  await owner.connect();
  close = async () => {
    await owner.end();
    await service.close();
  };
}, 5 * MINUTES_MS);

afterAll(() => close());

function indexesIn({ 'Index Name': name, Plans: below = [] }: Node): readonly string[] {
  return [...(name === undefined ? [] : [ofTheWhole(name)]), ...below.flatMap(indexesIn)];
}

/** An index of a part of a table is that of the table. */
function ofTheWhole(name: string): string {
  return name.replace(/_[0-9]+_/, '_');
}

/** The indexes that the plans of all statements go by, as of tables that are too large to be read whole. */
async function readUsed(): Promise<ReadonlySet<string>> {
  await owner.query('analyze');
  await owner.query('set enable_seqscan = off');
  const used = new Set<string>();
  for (const text of sent) {
    const { rows } = await owner.query<{ 'QUERY PLAN': readonly { readonly Plan: Node }[] }>(
      `explain (generic_plan, format json) ${text}`,
    );
    for (const { Plan: plan } of rows[0]?.['QUERY PLAN'] ?? []) for (const name of indexesIn(plan)) used.add(name);
  }
  return used;
}

async function readIndexes(): Promise<readonly Index[]> {
  const { rows } = await owner.query<Index>(
    `select relname as name, indisunique as is_unique, indisprimary as is_primary
       from pg_index join pg_class on pg_class.oid = indexrelid
       where relnamespace = 'answer_evidence'::regnamespace order by relname`,
  );
  return rows;
}

describe('each index', () => {
  it(
    'is the key of a table, or a statement of the service needs it, or a rule',
    async () => {
      expect(sent.size).toBeGreaterThan(300);
      const [used, indexes] = [await readUsed(), await readIndexes()];
      const unneeded = indexes.filter(
        ({ name, is_primary: isPrimary }) =>
          !isPrimary && !used.has(name) && STATEMENTS[name] === undefined && RULES[name] === undefined,
      );
      expect(unneeded.map(({ name }) => name)).toEqual([]);
    },
    MINUTES_MS,
  );

  it('that is claimed by hand is there, and so is its statement or its rule', async () => {
    const indexes = new Map((await readIndexes()).map((index) => [index.name, index]));
    for (const name of Object.keys(RULES)) expect([name, indexes.get(name)?.is_unique]).toEqual([name, true]);
    for (const [name, [file, words]] of Object.entries(STATEMENTS)) {
      expect([...indexes.keys()]).toContain(name);
      expect([name, (await readFile(join(ADAPTER, file), 'utf8')).includes(words)]).toEqual([name, true]);
    }
  });
});
