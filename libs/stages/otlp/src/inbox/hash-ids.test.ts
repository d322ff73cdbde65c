import { afterEach, describe, expect, it } from '@jest/globals';
import { hashNamedId } from '@answer-evidence/commitments';
import { readSettings } from '@answer-evidence/postgres';
import { changeSettings } from '@answer-evidence/testing';
import { answerSpan, openOtlpTest, OTEL, type OtlpTest, span, traces } from '../fixtures/otlp.ts';

const ON = { answer_audit_otlp_hash_user_ids: true };
/** Nothing else in the database reads so. */
const PERSON = 'person-0f6a1c';
const SESSION = 'session-0f6a1c';
const NAMED = { 'user.id': PERSON, 'session.id': SESSION };

let test: OtlpTest;
afterEach(async () => {
  expect((await test.checkLedger()).findings).toEqual([]);
  await test.close();
});

const open = async (settings: object, waitMs = 0): Promise<void> => {
  test = await openOtlpTest(settings, () => ({ otlpLedgerWaitMs: waitMs }));
};
const people = async () =>
  (await test.listed()).map(({ actor_id_hash: actor, session_id_hash: session }) => [actor, session]);

/** Hashes under the active key. */
async function hashes(): Promise<readonly [string, string]> {
  const { values } = await readSettings(test.logs, test.workspace.id);
  const keyId = values.answer_audit_hash_key_id ?? '';
  const row = await test.administration.findHashKey(test.workspace.id, keyId);
  const key = test.workspace.vault.openHashKey(keyId, row?.wrapped_key ?? new Uint8Array());
  return [hashNamedId(key, 'actor', PERSON), hashNamedId(key, 'session', SESSION)];
}

/** Every row of every table as text; bytes also as the text that they may be. */
async function allRows(): Promise<string> {
  const { rows: tables } = await test.owner.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'answer_evidence'`,
  );
  const texts = await Promise.all(
    tables.map(async ({ name }) => {
      const { rows } = await test.owner.query<{ row: string }>(
        `select row_to_json(t)::text as row from answer_evidence."${name}" t`,
      );
      return rows.map(({ row }) => row).join('\n');
    }),
  );
  return texts.join('\n');
}

async function expectNothingRaw(): Promise<void> {
  const text = await allRows();
  expect(text.length).toBeGreaterThan(1_000);
  for (const id of [PERSON, SESSION])
    for (const encoded of [id, Buffer.from(id).toString('hex'), Buffer.from(id.slice(0, 12)).toString('base64')])
      expect(text).not.toContain(encoded);
}

/** Spans that go every way: recorded, held, waiting for a record, refused, ignored. */
const EVERY_WAY = [
  answerSpan(1, 'recorded', NAMED),
  span(2, { 'service.audit.idempotency_key': 'later', ...NAMED }),
  answerSpan(3, 'refused', { ...NAMED, 'service.audit.question_hash': `sha256:${'0'.repeat(64)}` }),
  span(4, { 'gen_ai.operation.name': 'embeddings', ...NAMED }),
];
const heldSpan = (n: number, more: object = {}) =>
  span(
    n,
    {
      'gen_ai.operation.name': 'chat',
      'gen_ai.input.messages': JSON.stringify([{ role: 'user', content: 'asked' }]),
      'gen_ai.output.messages': JSON.stringify([{ role: 'assistant', content: 'said' }]),
      ...NAMED,
    },
    { traceId: '1'.repeat(32), parentSpanId: '00000000000000ff', ...more },
  );

describe('the ids of people and sessions that spans name', () => {
  it('are stored nowhere and hashed nowhere while the setting is off', async () => {
    await open({});
    const reply = await test.send(traces([...EVERY_WAY, heldSpan(5)]));
    expect(reply).toMatchObject({ rejected: 1 });
    expect(JSON.stringify(reply)).not.toContain(PERSON);
    await expectNothingRaw();
    await test.workOff();
    expect(await people()).toEqual([[null, null]]);
    await expectNothingRaw();
  });

  it('become hashes under the active key while it is on, and are stored nowhere', async () => {
    await open(ON);
    const reply = await test.send(traces([...EVERY_WAY, heldSpan(5)]));
    expect(JSON.stringify(reply)).not.toContain(PERSON);
    await expectNothingRaw();
    await test.workOff();
    await test.writeIgnored();
    expect(await people()).toEqual([await hashes()]);
    await expectNothingRaw();
  });

  it('give the same hash at once, by the inbox and after a trace was held, in any order', async () => {
    await open(ON, 60_000);
    await test.send(traces([answerSpan(1, 'at once', NAMED)]));
    await test.send(traces([heldSpan(5)]));
    expect(await people()).toEqual([await hashes()]);
    await test.send(traces([span(0xff, {}, { traceId: '1'.repeat(32) })]));
    // Later than the quiet time, so that what is held is decided.
    test.clock.advance(120_000_000);
    await test.runWaiting();
    expect(await people()).toEqual([await hashes(), await hashes()]);
  });

  it('are hashed under the settings and the key in force, in a process that knew others', async () => {
    await open({});
    const send = (n: number) => test.send(traces([answerSpan(n, `answer ${n}`, NAMED)]));
    await send(1);
    await changeSettings(test, ON);
    await send(2);
    const first = await hashes();
    await changeSettings(test, ON);
    await send(3);
    const second = await hashes();
    await changeSettings(test, { answer_audit_otlp_hash_user_ids: false });
    await send(4);
    await test.workOff();
    expect(await people()).toEqual([[null, null], first, second, [null, null]]);
    expect(first).not.toEqual(second);
  });

  it('give way to the hashes that the application sends', async () => {
    await open(ON);
    await test.send(traces([answerSpan(1, 'own', { ...NAMED, 'enduser.id_hash': 'mine', 'session.id_hash': 'ours' })]));
    await test.workOff();
    expect(await people()).toEqual([['mine', 'ours']]);
  });

  it('are named by a dry run as read only while the setting is on', async () => {
    await open({});
    const explain = async () => {
      const body = new TextEncoder().encode(JSON.stringify(traces([answerSpan(1, 'a', NAMED)])));
      const headers = { 'content-type': 'application/json' };
      const reply = await test.call('POST', `${OTEL}/explain`, { as: test.manager, body, headers });
      expect(JSON.stringify(reply.body)).not.toContain(PERSON);
      return reply.body;
    };
    const names = expect.arrayContaining(Object.keys(NAMED));
    expect(await explain()).toMatchObject({ items: [{ not_read: names }] });
    await changeSettings(test, ON);
    expect(await explain()).toMatchObject({ items: [{ read: names, not_read: [] }] });
  });
});
