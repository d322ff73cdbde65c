import type { RecordFilters } from '@answer-evidence/contracts';
import { formatTimestamp } from '@answer-evidence/encoding';
import { createRecordStore } from '@answer-evidence/postgres';
import { closingAll } from '../closing-all.ts';
import { medianOf } from '../figures.ts';
import { createdAt, openScratch, type Scratch } from '../reconciliation/open-scratch.ts';
import { openService } from '../service/open-service.ts';

const RECORDS = 1_000_000;
const TARGET_MS = 100;
const TRIES = 5;
const PAGE = { offset: 0, limit: 51 };

/** What the records are given that the reconciliation does without: two in three live, one in 20 changed, and so on. */
const DRESS = [
  `update answer_evidence.answer_records set
     application_key = (array['support-bot', 'sales-bot'])[1 + leaf_index % 2],
     environment = (array['production', 'production', 'production', 'staging'])[1 + leaf_index % 4],
     external_trace_id = 'trace-' || leaf_index / 3, mode = (array['live', 'live', 'test'])[1 + leaf_index % 3],
     actor_id_hash = 'actor-' || leaf_index % 50, session_id_hash = 'session-' || leaf_index / 10
     where workspace_id = $1`,
  `insert into answer_evidence.record_states
     select workspace_id, id, (array['corrected', 'voided', 'redacted'])[1 + leaf_index % 3], leaf_index, application_key,
         environment, mode, actor_id_hash
       from answer_evidence.answer_records where workspace_id = $1 and leaf_index % 20 = 0`,
  `update answer_evidence.ledger_heads set tree_size =
     (select max(leaf_index) + 1 from answer_evidence.ledger_leaves where workspace_id = $1) where workspace_id = $1`,
] as const;

const FILTERS: RecordFilters = {
  application_key: 'support-bot',
  environment: 'staging',
  status: 'voided',
  external_trace_id: 'trace-70000',
  external_message_id: 'message-210000',
  idempotency_key: 'message-210000',
  mode: 'test',
  actor_id_hash: 'actor-1',
  session_id_hash: 'session-21000',
  created_after: formatTimestamp(createdAt(200_000)),
  created_before: formatTimestamp(createdAt(900_000)),
};

/** No filter, each one, and each pair. */
const SETS: readonly RecordFilters[] = [...Object.entries(FILTERS), ['status', 'recorded'] as const].flatMap(
  ([name, value], n, all) => [
    ...(n === 0 ? [{}] : []),
    { [name]: value },
    ...all.slice(n + 1).flatMap(([other, second]) => (other === name ? [] : [{ [name]: value, [other]: second }])),
  ],
);

/** How long the first page of a million records takes, by every filter and pair of filters; a table. */
export async function measureLists(progress: (line: string) => void): Promise<string> {
  progress('starting a PostgreSQL');
  return closingAll(async (opened) => {
    const service = await openService();
    opened.push(() => service.close());
    const scratch = await openScratch(service.databaseUrl);
    opened.push(() => scratch.close());
    progress(`${RECORDS} records by SQL`);
    await fill(scratch);
    const measured: { name: string; ms: number; slowest: number }[] = [];
    for (const filters of SETS) {
      const taken = await timeList(scratch, filters);
      const name = Object.entries(filters).map(([key, value]) => `${key}=${value}`);
      measured.push({ name: name.join(' & ') || 'nothing', ms: medianOf(taken), slowest: Math.max(...taken) });
    }
    measured.sort((a, b) => b.ms - a.ms);
    const within = measured.filter(({ ms }) => ms < TARGET_MS).length;
    return [
      `${within} of ${measured.length} filters and pairs within ${TARGET_MS} ms; the slowest, median and worst:`,
      ...measured.slice(0, 20).map(({ name, ms, slowest }) => `${ms.toFixed(1)} ms, ${slowest.toFixed(1)} ms  ${name}`),
    ].join('\n');
  });
}

async function fill(scratch: Scratch): Promise<void> {
  const { owner, workspace } = scratch;
  await scratch.fillTo(RECORDS);
  for (const statement of DRESS) await owner.query(statement.replaceAll('$1', `'${workspace.id}'::uuid`));
  await owner.query('vacuum full analyze');
}

async function timeList({ pool, workspace }: Scratch, filters: RecordFilters): Promise<readonly number[]> {
  const records = createRecordStore(pool);
  const taken: number[] = [];
  for (let n = 0; n < TRIES; n++) {
    const start = performance.now();
    await records.list(workspace.id, filters, PAGE);
    taken.push(performance.now() - start);
  }
  return taken;
}
