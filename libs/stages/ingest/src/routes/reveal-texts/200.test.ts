import { describe, expect, it } from '@jest/globals';
import { type AnswerRecord, answerRecord, revealCore } from '@answer-evidence/contracts';
import { parseJsonText } from '@answer-evidence/encoding';
import { NO_ID } from '@answer-evidence/testing';
import { createRecord, openIngest, RECORDS } from '../../fixtures/ingest.ts';

const WHY = { reason_code: 'complaint', reason: 'ticket 4711 says that the answer is wrong' };
const WITHHELD = { 'service-texts': 'withheld' };

async function open() {
  const stage = await openIngest();
  const record = await createRecord(stage, { question: { text: 'asked' }, answer: { text: 'told' } });
  const path = `${RECORDS}/${record.id}`;
  const entries = () => stage.logs.workspaceEntries(stage.workspace.id, 'texts_revealed');
  return { stage, record, path, entries };
}

const textsOf = (record: AnswerRecord) => [
  record.question.text,
  record.answer.text,
  ...(record.events ?? []).map((event) => event.corrected_answer?.text),
];

describe('POST /api/answer-audit-logs/{answer_log_id}/reveal', () => {
  it('gives the texts, and an entry of the log that says who read them and why', async () => {
    const { stage, record, path, entries } = await open();
    const reply = await stage.call('POST', `${path}/reveal`, { as: stage.member, body: WHY, headers: WITHHELD });
    expect(reply.status).toBe(200);
    expect(textsOf(answerRecord.parse(reply.body))).toEqual(['asked', 'told']);
    const [entry, ...more] = await entries();
    expect(more).toEqual([]);
    expect(revealCore.parse(parseJsonText(entry?.core_json ?? ''))).toMatchObject({
      answer_log_id: record.id,
      ...WHY,
      actor: { kind: 'user', id: stage.member.userId, token_id: stage.member.tokenId },
    });
  });

  it('is an entry of its own each time', async () => {
    const { stage, path, entries } = await open();
    for (let n = 0; n < 2; n++) await stage.call('POST', `${path}/reveal`, { as: stage.member, body: WHY });
    expect(await entries()).toHaveLength(2);
  });

  it('needs a known code and words, and enters nothing without them or for no record', async () => {
    const { stage, path, entries } = await open();
    for (const body of [
      {},
      { reason_code: 'complaint' },
      { ...WHY, reason: ' \n' },
      { ...WHY, reason: '\u200b\u200b\u00a0\u2060\u3164' },
      { ...WHY, reason: 'x'.repeat(501) },
      { ...WHY, reason_code: 'curiosity' },
    ])
      expect(await stage.call('POST', `${path}/reveal`, { as: stage.manager, body })).toMatchObject({
        status: 422,
        code: 'schema_violation',
      });
    const missing = await stage.call('POST', `${RECORDS}/${NO_ID}/reveal`, { as: stage.manager, body: WHY });
    expect(missing).toMatchObject({ status: 404, code: 'not_found' });
    expect(await entries()).toEqual([]);
  });
});

describe('a caller who wants no texts', () => {
  it('gets a record without those of question, answer and corrections, and with everything else', async () => {
    const { stage, path } = await open();
    const correct = (text: string, headers: Readonly<Record<string, string>>) =>
      stage.call('POST', `${path}/events`, {
        as: stage.manager,
        headers,
        body: { event_type: 'correction_appended', payload: { corrected_answer_text: text } },
      });
    await correct('first', {});
    const appended = answerRecord.parse((await correct('second', WITHHELD)).body);
    // What the caller wrote a moment ago is no secret from them.
    expect(textsOf(appended)).toEqual([null, null, null, 'second']);
    const read = async (headers: Readonly<Record<string, string>>) => {
      const reply = await stage.call('GET', path, { as: stage.manager, headers });
      return { tag: reply.headers?.['ETag'], record: answerRecord.parse(reply.body) };
    };
    const [whole, withheld] = [await read({}), await read(WITHHELD)];
    expect(textsOf(whole.record)).toEqual(['asked', 'told', 'first', 'second']);
    expect(textsOf(withheld.record)).toEqual([null, null, null, null]);
    expect(withheld.record.answer).toEqual({ ...whole.record.answer, text: null });
    expect(withheld.record.answer.text_state).toBe('stored');
    expect(withheld.tag).not.toBe(whole.tag);
  });
});
