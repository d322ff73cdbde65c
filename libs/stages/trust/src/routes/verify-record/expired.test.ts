import { beforeAll, describe, expect, it } from '@jest/globals';
import { formatTimestamp } from '@answer-evidence/encoding';
import { createIngestStage } from '@answer-evidence/stage-ingest';
import { DAY_MICROS } from '@answer-evidence/testing';
import {
  appendEvent,
  checksWith,
  createRecord,
  openTrust,
  type TrustTest,
  verifyRecord,
} from '../../fixtures/trust.ts';

describe('a record whose retention has passed', () => {
  let stage: TrustTest;
  let id: string;
  beforeAll(async () => {
    stage = await openTrust();
    const until = formatTimestamp(stage.clock.nowMicros() + DAY_MICROS);
    ({ id } = await createRecord(stage, { retention_until: until, source_refs: [{ source_ref_id: 'faq' }] }));
    const payload = { corrected_answer_text: 'better' };
    await appendEvent(stage, id, { event_type: 'correction_appended', reason: 'was wrong', payload });
    stage.clock.advance(DAY_MICROS);
    for (const ticker of createIngestStage(stage).tickers) await ticker.run(new AbortController().signal);
  });

  it('has a bundle with the expiry among its attachments, in which nothing that expired is shown', async () => {
    const { body } = await stage.call('GET', `/api/trust/proofs/answers/${id}`, { as: stage.manager });
    expect(body).toMatchObject({
      record: { disclosed: { question: null, answer: null, source_refs: [null] } },
      events: [{ disclosed: { reason: null, corrected_text: null } }],
      attachments: [{ leaf_index: expect.any(Number), core: { answer_log_id: id } }],
    });
  });

  it('verifies: what is gone does not apply, because a leaf says so, and everything else still holds', async () => {
    const verified = await verifyRecord(stage, id);
    expect(checksWith('FAIL', verified)).toEqual([]);
    expect(checksWith('NA', verified)).toEqual(
      expect.arrayContaining(['question_commitment', 'answer_commitment', 'corrections', 'source_refs']),
    );
    expect(checksWith('PASS', verified)).toEqual(
      expect.arrayContaining(['record_hash', 'event_chain', 'event_completeness', 'leaf_entry', 'merkle_inclusion']),
    );
  });
});
