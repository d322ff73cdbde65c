import { formatTimestamp } from '@answer-evidence/encoding';
import type { WordSearchFilters } from '@answer-evidence/ports';
import { createRecordStore, createWordIndexStore } from '@answer-evidence/postgres';
import { closingAll } from '../closing-all.ts';
import { medianOf } from '../figures.ts';
import { createdAt, openScratch, type Scratch } from '../reconciliation/open-scratch.ts';
import { openService } from '../service/open-service.ts';

const RECORDS = 1_000_000;
const TARGET_MS = 300;
const TRIES = 5;
/** As many as a search of the console asks for, and counts. */
const FOUND_MAX = 1_000;
const SHOWN = 50;
/** Words that the texts have together, and those of a record: the n-th is 1/n as frequent as the first. */
const VOCABULARY = 50_000;
const WORDS_PER_RECORD = 40;

const tokenOf = (rank: number) => Uint8Array.from(Buffer.from(rank.toString(16).padStart(14, '0'), 'hex'));

const FILL = `insert into answer_evidence.word_tokens (workspace_id, token, leaf_index)
  select $1, decode(lpad(to_hex(d.rank), 14, '0'), 'hex'), r.leaf_index
    from answer_evidence.answer_records r
    cross join lateral (select distinct floor(exp(random() * ln(${VOCABULARY})))::integer as rank
      from generate_series(1, ${WORDS_PER_RECORD}) where r.leaf_index >= 0) d
    where r.workspace_id = $1 and r.leaf_index >= $2 and r.leaf_index < $3`;

type Search = { readonly name: string; readonly words: readonly number[]; readonly filters?: WordSearchFilters };

const SEARCHES: readonly Search[] = [
  { name: 'the commonest word', words: [1] },
  { name: 'the eight commonest words', words: [1, 2, 3, 4, 5, 6, 7, 8] },
  { name: 'a common and a rare word', words: [1, 40_000] },
  { name: 'two words of 1 % of the records', words: [400, 401] },
  { name: 'a rare word', words: [40_000] },
  { name: 'two rare words, which no record has together', words: [49_000, 48_000] },
  { name: 'a word that no record has', words: [VOCABULARY + 1] },
  { name: 'a common word of another application', words: [1], filters: { application_key: 'other-bot' } },
  {
    name: 'a common word on one day',
    words: [10],
    filters: {
      created_after: formatTimestamp(createdAt(400_000)),
      created_before: formatTimestamp(createdAt(486_400)),
    },
  },
];

/** How long words of a million records take to be found, and the marks of a page of them; a table. */
export async function measureWords(progress: (line: string) => void): Promise<string> {
  progress('starting a PostgreSQL');
  return closingAll(async (opened) => {
    const service = await openService();
    opened.push(() => service.close());
    const scratch = await openScratch(service.databaseUrl);
    opened.push(() => scratch.close());
    progress(`${RECORDS} records by SQL`);
    await scratch.fillTo(RECORDS);
    await fillWords(scratch, progress);
    const lines = [await sizeOf(scratch)];
    for (const search of SEARCHES) {
      const { taken, found } = await timeSearch(scratch, search);
      lines.push(`${format(taken)}  ${search.name} (${found})`);
    }
    lines.push(`${format(await timeMarks(scratch))}  the marks of ${SHOWN} records`);
    return [`Words of ${RECORDS} records, to be found within ${TARGET_MS} ms; median and worst:`, ...lines].join('\n');
  });
}

async function fillWords({ owner, workspace }: Scratch, progress: (line: string) => void): Promise<void> {
  await owner.query(`update answer_evidence.ledger_heads set tree_size =
    (select max(leaf_index) + 1 from answer_evidence.ledger_leaves where workspace_id = '${workspace.id}')
    where workspace_id = '${workspace.id}'`);
  // Rows come before the indexes on them: with them, a million records take half an hour.
  await owner.query('alter table answer_evidence.word_tokens drop constraint word_tokens_pkey');
  await owner.query('drop index answer_evidence.word_tokens_record');
  for (let from = 0; from < RECORDS + 10; from += 100_000) {
    progress(`words of records from ${from} on`);
    await owner.query(FILL, [workspace.id, from, from + 100_000]);
  }
  progress('indexes');
  await owner.query(`set maintenance_work_mem = '512MB'`);
  await owner.query(
    `alter table answer_evidence.word_tokens
       add constraint word_tokens_pkey primary key (workspace_id, token, leaf_index)`,
  );
  await owner.query('create index word_tokens_record on answer_evidence.word_tokens (workspace_id, leaf_index)');
  await owner.query('vacuum analyze answer_evidence.word_tokens');
}

async function sizeOf({ owner }: Scratch): Promise<string> {
  const { rows } = await owner.query<{ bytes: string; rows: string }>(
    `select pg_total_relation_size('answer_evidence.word_tokens') as bytes,
       (select reltuples::bigint from pg_class where oid = 'answer_evidence.word_tokens'::regclass) as rows`,
  );
  const [size] = rows;
  const perRecord = Number(size?.bytes) / RECORDS;
  return `${size?.rows} tokens, ${(Number(size?.bytes) / 1e9).toFixed(2)} GB, ${perRecord.toFixed(0)} bytes per record`;
}

async function timeSearch({ pool, workspace }: Scratch, { words, filters = {} }: Search) {
  const index = createWordIndexStore(pool);
  // As in a search of three fields, two of which do not have the word.
  const tokens = words.map((rank) => [tokenOf(rank), tokenOf(rank + 1_000_000), tokenOf(rank + 2_000_000)]);
  const taken: number[] = [];
  let found = '';
  for (let n = 0; n < TRIES; n++) {
    const start = performance.now();
    const { leaves, isLimited } = await index.search(workspace.id, tokens, filters, FOUND_MAX);
    await createRecordStore(pool).listAt(workspace.id, leaves.slice(0, SHOWN));
    taken.push(performance.now() - start);
    found = `${leaves.length} found${isLimited ? ', limited' : ''}`;
  }
  return { taken, found };
}

async function timeMarks({ pool, workspace }: Scratch): Promise<readonly number[]> {
  const records = createRecordStore(pool);
  const page = await records.list(workspace.id, {}, { offset: 0, limit: SHOWN });
  const ids = page.items.map(({ record }) => record.id);
  const taken: number[] = [];
  for (let n = 0; n < TRIES; n++) {
    const start = performance.now();
    await records.marks(workspace.id, ids);
    taken.push(performance.now() - start);
  }
  return taken;
}

function format(taken: readonly number[]): string {
  return `${medianOf(taken).toFixed(1)} ms, ${Math.max(...taken).toFixed(1)} ms`;
}
