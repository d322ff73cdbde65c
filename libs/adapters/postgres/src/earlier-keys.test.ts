import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type AppendResult, StoredDamageError } from '@answer-evidence/ports';
import { createKeyRow, prepareAnswer } from '../fixtures/answers.ts';
import { openTestLog, type TestLog } from '../fixtures/open-log.ts';
import { createOtlpStore } from './stores/otlp-store.ts';

const KEYS = ['kept apart', 'kept in its record'] as const;

let log: TestLog;
const ids = new Map<string, string>();

function answer(key: string, question = key) {
  return prepareAnswer(log, { question, key, onId: (id) => ids.has(key) || ids.set(key, id) });
}

/** Gives the key of a record the row that it had before records kept what their keys were used for. */
async function keepApart(key: string): Promise<void> {
  const row = createKeyRow(log.workspace, 'record:support-bot', key, ids.get(key) ?? '', key);
  await log.owner.query('begin');
  await log.owner.query('set local session_replication_role = replica');
  await log.owner.query('update answer_evidence.answer_records set key_claim = null where id = $1', [row.object_id]);
  await log.owner.query('insert into answer_evidence.idempotency_keys values ($1, $2, $3, $4, $5, $6)', [
    log.workspace.id,
    ...[row.scope, row.idempotency_key, row.object_id, row.fingerprint, row.mac],
  ]);
  await log.owner.query('commit');
}

beforeAll(async () => {
  log = await openTestLog();
  const ledger = log.openLedger();
  for (const key of KEYS) await ledger.append(log.workspace.id, answer(key));
  await keepApart(KEYS[0]);
});

afterAll(async () => {
  await log.close();
});

const saidOf = (result: AppendResult | undefined) => {
  if (result?.kind === 'replayed') return result.objectId;
  return result?.kind === 'failed' && result.error instanceof Error && 'code' in result.error
    ? result.error.code
    : result?.kind;
};

it.each(KEYS)('a key that is %s is found again, by a new process as well, and refuses another payload', async (key) => {
  for (const predict of [true, false]) {
    const ledger = log.openLedger({ predict });
    const settings = await ledger.settings(log.workspace.id);
    const commands = [
      answer(key)(settings),
      answer(key, 'another')(settings),
      answer(`new ${key} ${predict}`)(settings),
    ];
    expect((await ledger.appendAll(log.workspace.id, commands)).map(saidOf)).toEqual([
      ids.get(key),
      'idempotency_payload_mismatch',
      'appended',
    ]);
  }
});

it('what comes by OTLP finds records by keys of both forms, with what they were used for', async () => {
  const store = createOtlpStore({ pool: log.pool, clock: log.clock, random: log.random, onJobs: () => undefined });
  const found = await store.findRecords(
    log.workspace.id,
    [...KEYS, 'of no record'].map((idempotencyKey) => ({ applicationKey: 'support-bot', idempotencyKey })),
  );
  expect(new Map(found.map(({ id, fingerprint }) => [id, Buffer.from(fingerprint).toString('hex')]))).toEqual(
    new Map(KEYS.map((key) => [ids.get(key), Buffer.from(log.workspace.vault.fingerprint(key)).toString('hex')])),
  );
});

/** Runs while the claim of the second key is this. */
async function whileClaimIs<T>(sql: string, action: () => Promise<T>): Promise<T> {
  const id = ids.get(KEYS[1]);
  const set = async (to: string, values: readonly unknown[]) => {
    await log.owner.query('begin');
    await log.owner.query('set local session_replication_role = replica');
    await log.owner.query(`update answer_evidence.answer_records set key_claim = ${to} where id = $1`, [id, ...values]);
    await log.owner.query('commit');
  };
  const { rows } = await log.owner.query<{ key_claim: Uint8Array }>(
    'select key_claim from answer_evidence.answer_records where id = $1',
    [id],
  );
  await set(sql, []);
  try {
    return await action();
  } finally {
    await set('$2', [rows[0]?.key_claim]);
  }
}

it('a ledger check passes, and finds a claim that is altered or missing', async () => {
  expect((await log.check()).findings).toEqual([]);
  const after = (sql: string) =>
    whileClaimIs(sql, async () => (await log.check()).findings.map(({ object, detail }) => `${object}: ${detail}`));
  const place = `idempotency key of ${ids.get(KEYS[1])}`;
  expect(await after('null')).toEqual([`${place}: the row of its idempotency key is missing`]);
  for (const altered of [`set_byte(key_claim, 20, get_byte(key_claim, 20) # 1)`, `substring(key_claim from 2)`, `''`])
    expect(await after(altered)).toEqual([`${place}: the MAC of its idempotency key is invalid`]);
});

it('a key of which nothing is kept makes no second record, and costs others of its batch nothing', async () => {
  const ledger = log.openLedger();
  const settings = await ledger.settings(log.workspace.id);
  const results = await whileClaimIs('null', () =>
    ledger.appendAll(log.workspace.id, [
      answer('before')(settings),
      answer(KEYS[1])(settings),
      answer('after')(settings),
    ]),
  );
  expect(results.map(({ kind }) => kind)).toEqual(['appended', 'failed', 'appended']);
  expect(results[1]).toMatchObject({ error: expect.any(StoredDamageError) });
  expect((await log.check()).findings).toEqual([]);
});
