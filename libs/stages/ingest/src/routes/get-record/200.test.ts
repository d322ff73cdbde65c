import { beforeAll, describe, expect, it } from '@jest/globals';
import { parseHex } from '@answer-evidence/encoding';
import { leafHash, verifyInclusion } from '@answer-evidence/merkle';
import { parseCheckpoint, parseNote, parseTlogProof } from '@answer-evidence/note';
import { appendEvent, createRecord, type IngestTest, openIngest, readRecord, RECORDS } from '../../fixtures/ingest.ts';

describe('GET /api/answer-audit-logs/{answer_log_id}', () => {
  let stage: IngestTest;
  beforeAll(async () => {
    stage = await openIngest();
  });

  it('shows the record to a member, and to the application that it is of', async () => {
    const created = await createRecord(stage, { source_refs: [{ source_name: 'faq.md' }] });
    for (const as of [stage.member, stage.application]) {
      const reply = await stage.call('GET', `${RECORDS}/${created.id}`, { as });
      expect(reply).toMatchObject({ status: 200, body: { ...created, receipt: expect.any(String) } });
    }
  });

  it.each([
    ['short texts, which are sealed with the refs', 'kept back'],
    ['long ones, which are sealed apart', 'kept back '.repeat(600)],
  ])('withholds %s, and shows the refs', async (_texts, text) => {
    const sources = { source_refs: [{ source_name: 'faq.md' }] };
    const { id } = await createRecord(stage, { ...sources, question: { text }, answer: { text } });
    await appendEvent(stage, id, { event_type: 'correction_appended', payload: { corrected_answer_text: text } });
    const headers = { 'service-texts': 'withheld' };
    const { status, body } = await stage.call('GET', `${RECORDS}/${id}`, { as: stage.member, headers });
    expect({ status, body }).toMatchObject({ status: 200, body: { ...sources, question: { text_state: 'stored' } } });
    expect(JSON.stringify(body)).not.toContain('kept back');
    const whole = await stage.call('GET', `${RECORDS}/${id}`, { as: stage.member });
    expect(JSON.stringify(whole.body).split('kept back')).toHaveLength(3 * text.split('kept back').length - 2);
    const listed = await stage.call('GET', RECORDS, { as: stage.member });
    expect(JSON.stringify(listed.body)).not.toContain('kept back');
  });

  it('gives a receipt at the present size of the log, whatever came after the record', async () => {
    const { id, ledger } = await createRecord(stage);
    for (let n = 0; n < 5; n++) await createRecord(stage);
    const { receipt } = await readRecord(stage, id);
    const { index, hashes, checkpoint } = parseTlogProof(receipt);
    const { size, root } = parseCheckpoint(parseNote(checkpoint).text);
    expect(index).toBe(ledger.leaf_index);
    expect(size).toBe(ledger.leaf_index + 6);
    verifyInclusion(index, size, leafHash(ledger.entry), hashes, root);
    expect(leafHash(ledger.entry)).toEqual(parseHex(ledger.leaf_hash));
  });

  it('shows the history in order, each event chained to the one before', async () => {
    const { id, record_hash: recordHash } = await createRecord(stage);
    await appendEvent(stage, id, { event_type: 'correction_appended', payload: { corrected_answer_text: 'No.' } });
    await appendEvent(stage, id, { event_type: 'retention_extended', reason: 'a lawsuit' });
    await appendEvent(stage, id, { event_type: 'voided', payload: { reason_code: 'wrong', ticket: 7 } });
    const { events = [], status } = await readRecord(stage, id);
    expect(status).toBe('voided');
    expect(events.map(({ sequence, event_type: type }) => [sequence, type])).toEqual([
      [1, 'correction_appended'],
      [2, 'retention_extended'],
      [3, 'voided'],
    ]);
    expect(events.map((event) => event.prev_event_hash)).toEqual([
      recordHash,
      ...events.slice(0, -1).map((event) => event.event_hash),
    ]);
    expect(events).toMatchObject([
      { corrected_answer: { text: 'No.', text_state: 'stored', origin: 'service' } },
      { reason: 'a lawsuit' },
      { payload: { reason_code: 'wrong', ticket: 7 } },
    ]);
  });
});
