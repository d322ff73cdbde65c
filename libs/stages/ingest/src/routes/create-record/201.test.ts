import { beforeAll, describe, expect, it } from '@jest/globals';
import { commitPlain } from '@answer-evidence/commitments';
import { type AnswerRecord, answerRecord, type SettingsValues } from '@answer-evidence/contracts';
import { parseHex } from '@answer-evidence/encoding';
import { verifyInclusion } from '@answer-evidence/merkle';
import { parseCheckpoint, parseNote, parseTlogProof } from '@answer-evidence/note';
import { changeSettings, createRouteCaller } from '@answer-evidence/testing';
import {
  answer,
  appendEvent,
  createRecord,
  type IngestTest,
  openIngest,
  openKeyedIngest,
  readRecord,
  RECORDS,
} from '../../fixtures/ingest.ts';
import { createIngestStage } from '../../index.ts';

const FULL = {
  environment: 'staging',
  idempotency_key: 'message-1',
  semantic_refs: [{ concept: 'refund' }, {}],
  source_refs: [{ source_ref_id: 'faq', source_name: 'faq.md' }, { source_name: 'terms.md' }],
  external_trace_id: 'trace-1',
  external_message_id: 'message-1',
  mode: 'fast',
  actor_id_hash: 'actor-1',
  session_id_hash: 'session-1',
};

function readReceipt({ receipt, ledger }: AnswerRecord): { readonly origin: string; readonly size: number } {
  const { index, hashes, checkpoint } = parseTlogProof(receipt);
  const { origin, size, root } = parseCheckpoint(parseNote(checkpoint).text);
  expect(index).toBe(ledger.leaf_index);
  verifyInclusion(index, size, parseHex(ledger.leaf_hash), hashes, root);
  return { origin, size };
}

describe('POST /api/answer-audit-logs', () => {
  let stage: IngestTest;
  beforeAll(async () => {
    stage = await openIngest();
  });

  it('records all that was sent, and a read returns the same but for a newer receipt', async () => {
    const created = await createRecord(stage, FULL);
    expect(created).toMatchObject({
      ...FULL,
      application_key: 'support-bot',
      status: 'recorded',
      question: { hash: commitPlain('Why?'), hash_key_id: null, text: 'Why?', text_state: 'stored' },
      answer: { hash: commitPlain('Because.'), text: 'Because.' },
      created_by: { kind: 'user', id: stage.manager.userId, token_id: stage.manager.tokenId },
      events: [],
    });
    expect({ ...(await readRecord(stage, created.id)), receipt: '' }).toEqual({ ...created, receipt: '' });
  });

  it('answers with a receipt that proves the record at the very size of its commit', async () => {
    const created = await createRecord(stage);
    expect(readReceipt(created)).toEqual({
      origin: stage.workspace.origin,
      size: created.ledger.leaf_index + 1,
    });
  });

  it('gives equal concurrent requests with one key one record', async () => {
    const body = answer({ idempotency_key: 'at once' });
    const elsewhere = createRouteCaller(createIngestStage({ ...stage, ledger: stage.otherLedger }).routes);
    const replies = await Promise.all(
      [stage.call, elsewhere, stage.call].map((call) => call('POST', RECORDS, { as: stage.manager, body })),
    );
    const records = replies.map((reply) => answerRecord.parse(reply.body));
    expect(replies.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(records.map(({ id }) => id)).size).toBe(1);
    expect(replies.filter(({ headers }) => headers?.['Idempotency-Replayed'] === undefined)).toHaveLength(1);
    for (const record of records) readReceipt(record);
  });
});

describe('POST /api/answer-audit-logs, replays', () => {
  const keyed = answer({ idempotency_key: 'message-1' });

  it.each([
    ['the key in the header, quoted', answer(), { 'idempotency-key': '"message-1"' }],
    ['the key in the header, bare', answer(), { 'idempotency-key': 'message-1' }],
    ['the key in both', keyed, { 'idempotency-key': 'message-1' }],
    ['the hash beside the text', { ...keyed, answer: { text: 'Because.', hash: commitPlain('Because.') } }, {}],
    ['its fields in another order', Object.fromEntries(Object.entries(keyed).reverse()), {}],
    ['a default written out', { ...keyed, environment: 'production' }, {}],
    ['empty lists written out', { ...keyed, semantic_refs: [], evidence_access_event_ids: [] }, {}],
    [
      'a hash in upper case',
      { ...keyed, answer: { hash: `sha256:${commitPlain('Because.').slice(7).toUpperCase()}`, text: 'Because.' } },
      {},
    ],
  ])('takes a request with %s for the same', async (_, body, headers) => {
    const { call, rows, manager } = await openIngest();
    await call('POST', RECORDS, { as: manager, body: keyed });
    expect(await call('POST', RECORDS, { as: manager, body, headers })).toMatchObject({
      status: 201,
      headers: { 'Idempotency-Replayed': 'true' },
      body: { id: (await rows('answer_records'))[0]?.id },
    });
    expect(await rows('answer_records')).toHaveLength(1);
  });

  it('does not judge a replay by a policy that came after', async () => {
    const stage = await openIngest();
    const first = await createRecord(stage, { idempotency_key: 'k' });
    await changeSettings(stage, { answer_audit_accept_text: false, answer_audit_accept_caller_hash: true });
    expect((await createRecord(stage, { idempotency_key: 'k' })).id).toBe(first.id);
  });

  it('answers with the record as it is now, without what was redacted', async () => {
    const stage = await openIngest();
    const { id } = await createRecord(stage, { idempotency_key: 'k' });
    await appendEvent(stage, id, { event_type: 'redacted' });
    const replayed = await createRecord(stage, { idempotency_key: 'k' });
    expect(replayed).toMatchObject({
      id,
      status: 'redacted',
      answer: { text: null, text_state: 'redacted' },
      events: [{ event_type: 'redacted' }],
    });
  });

  it('carries no events to an application that may create and not read', async () => {
    const stage = await openIngest();
    const { id } = await createRecord(stage, { idempotency_key: 'k' });
    await appendEvent(stage, id, { event_type: 'voided' });
    const as = { ...stage.application, scopes: ['answer_audit:create'] as const };
    const replayed = await createRecord(stage, { idempotency_key: 'k' }, as);
    expect(replayed.id).toBe(id);
    expect('events' in replayed).toBe(false);
    expect(await createRecord(stage, { idempotency_key: 'k' }, stage.application)).toMatchObject({
      events: [{ event_type: 'voided' }],
    });
  });

  it('keeps the keys of two applications apart', async () => {
    const stage = await openIngest();
    const one = await createRecord(stage, { idempotency_key: 'k' });
    const other = await createRecord(stage, { idempotency_key: 'k', application_key: 'other-bot' });
    expect(other.id).not.toBe(one.id);
  });
});

describe('POST /api/answer-audit-logs, under a policy', () => {
  it.each<[Partial<SettingsValues>, object, object]>([
    [
      { answer_audit_store_question_text: false },
      { question: { text: null, text_state: 'discarded' } },
      { answer: { text: 'Because.', text_state: 'stored' } },
    ],
    [
      { answer_audit_store_answer_text: false },
      { question: { text: 'Why?', text_state: 'stored' } },
      { answer: { text: null, text_state: 'discarded' } },
    ],
  ])('keeps only the texts that %j lets it keep', async (policy, question, kept) => {
    const stage = await openIngest(policy);
    const created = await createRecord(stage);
    expect(created).toMatchObject({ ...question, ...kept, question: { hash: commitPlain('Why?') } });
    expect(await readRecord(stage, created.id)).toMatchObject({ ...question, ...kept });
  });

  it('takes a caller’s hash as it is where the policy accepts it', async () => {
    const stage = await openIngest({ answer_audit_accept_caller_hash: true });
    const hash = commitPlain('kept elsewhere');
    expect(await createRecord(stage, { answer: { hash } })).toMatchObject({
      answer: { hash, hash_key_id: null, text: null, text_state: 'not_submitted' },
    });
  });

  it('makes keyed commitments that name their key, and equal texts do not look equal', async () => {
    const stage = await openKeyedIngest();
    const [one, other] = [await createRecord(stage), await createRecord(stage)];
    expect(one.answer.hash).toMatch(/^hmac-sha256:/);
    expect(one.answer.hash_key_id).toBe((await stage.rows('hash_keys'))[0]?.id);
    expect(other.answer.hash).not.toBe(one.answer.hash);
  });

  it('obeys a policy that another process has just set', async () => {
    const stage = await openIngest();
    await createRecord(stage);
    await changeSettings({ ...stage, ledger: stage.otherLedger }, { answer_audit_store_answer_text: false });
    expect(await createRecord(stage)).toMatchObject({ answer: { text: null, text_state: 'discarded' } });
  });

  it('stores no submitted text in clear', async () => {
    const stage = await openIngest();
    const secret = 'a text that nobody else says';
    await createRecord(stage, {
      question: { text: secret },
      answer: { text: secret },
      semantic_refs: [{ secret }],
      source_refs: [{ secret }],
    });
    const tables = ['ledger_leaves', 'answer_records', 'sealed_contents', 'workspace_entries'] as const;
    const rows = await Promise.all(tables.map((table) => stage.rows(table)));
    const stored = rows.flat().flatMap((row) => Object.values(row));
    const texts = stored.map((value) =>
      value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value),
    );
    expect(texts.filter((text) => text.includes(secret))).toEqual([]);
  });
});
