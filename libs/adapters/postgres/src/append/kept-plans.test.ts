import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type pg from 'pg';
import type { StateQuery } from '@answer-evidence/ledger';
import { openTestLog, type TestLog } from '../../fixtures/open-log.ts';
import { readKnown } from './read-state.ts';

/** Everything that a command may ask for. */
const ALL: Required<StateQuery> = {
  idempotency: { scope: 'record:support-bot', key: 'msg-1' },
  call: '00',
  recordId: '00000000-0000-7000-8000-000000000001',
  trace: { record_id: '00000000-0000-7000-8000-000000000001', trace_id: '0'.repeat(32), span_id: null },
  tokenId: '00000000-0000-7000-8000-000000000002',
  tokenName: 'laptop',
  members: true,
  approvalId: '00000000-0000-7000-8000-000000000005',
  memberChangesSince: 1,
  exportsSince: 1,
  series: 'trust_policy_changed',
  accessIds: ['00000000-0000-7000-8000-000000000003'],
  assetIds: ['00000000-0000-7000-8000-000000000004'],
  contentHash: `sha256:${'0'.repeat(64)}`,
  holdersOf: '00000000-0000-7000-8000-000000000004',
};

/** Tables that a limit keeps small in each workspace. */
const BOUNDED = ['ledger_heads', 'members', 'member_credentials', 'provider_links', 'tokens'];

type Node = {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Cond'?: string;
  readonly Plans?: readonly Node[];
};

let log: TestLog;

beforeAll(async () => {
  log = await openTestLog();
});

afterAll(async () => {
  await log.close();
});

function flatten(node: Node): readonly Node[] {
  return [node, ...(node.Plans ?? []).flatMap(flatten)];
}

/** The columns beside the workspace that the index of a step is searched by. */
function keysOf(node: Node): readonly string[] {
  const columns = [...(node['Index Cond'] ?? '').matchAll(/([a-z_]+) >?= /g)].map(([, column]) => column ?? '');
  return columns.filter((column) => column !== 'workspace_id');
}

/** The statements that a batch reads with, each under the name that its plan is kept under. */
async function statementsOf(reads: StateQuery): Promise<ReadonlyMap<string, string>> {
  const sent = new Map<string, string>();
  const client = {
    query: ({ name, text }: { name: string; text: string }) => {
      sent.set(name, text);
      return Promise.resolve({ rows: [] });
    },
  };
  await readKnown(client as unknown as pg.ClientBase, log.workspace.id, [{ reads, entryIds: ['x'] } as never], true);
  return sent;
}

it('what a batch reads is looked up by keys in a database that knows nothing of its tables', async () => {
  const statements = await statementsOf(ALL);
  expect(statements.size).toBeGreaterThan(12);
  const scanned: string[] = [];
  for (const [name, text] of statements) {
    const { rows } = await log.owner.query<{ 'QUERY PLAN': readonly { readonly Plan: Node }[] }>(
      `explain (generic_plan, format json) ${text}`,
    );
    const plan = rows[0]?.['QUERY PLAN'][0]?.Plan;
    if (plan === undefined) throw new Error('no plan');
    for (const node of flatten(plan)) {
      const table = node['Relation Name'];
      const isLookUp = table === undefined || BOUNDED.includes(table) || keysOf(node).length > 0;
      if (!isLookUp) scanned.push(`${name}: ${node['Node Type']} of ${table}`);
    }
  }
  expect(scanned).toEqual([]);
});
