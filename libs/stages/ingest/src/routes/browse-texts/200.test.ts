import { describe, expect, it } from '@jest/globals';
import type { Caller } from '@answer-evidence/access';
import { browsedTexts, readingCore } from '@answer-evidence/contracts';
import { parseJsonText } from '@answer-evidence/encoding';
import { NO_ID } from '@answer-evidence/testing';
import { appendEvent, createRecord, openIngest } from '../../fixtures/ingest.ts';

const WHY = { reason_code: 'complaint', reason: 'a customer asks about jackets' };

async function open() {
  const stage = await openIngest();
  const entries = () => stage.logs.workspaceEntries(stage.workspace.id, 'texts_revealed');
  const browse = (answer_log_ids: readonly unknown[], as: Caller = stage.member, more: object = {}) =>
    stage.call('POST', '/api/search/texts', { as, body: { ...WHY, answer_log_ids, ...more } });
  return { stage, entries, browse };
}

describe('POST /api/search/texts', () => {
  it('shows how the texts begin, with one entry in the log that lists them', async () => {
    const { stage, entries, browse } = await open();
    const first = await createRecord(stage, { question: { text: 'asked' }, answer: { text: '😀'.repeat(300) } });
    const second = await createRecord(stage, { question: { text: 'and?' }, answer: { text: 'told' } });
    await appendEvent(stage, second.id, {
      event_type: 'correction_appended',
      payload: { corrected_answer_text: 'told better' },
    });
    const { items } = browsedTexts.parse((await browse([second.id, first.id, second.id.toUpperCase()])).body);
    expect(items).toMatchObject([
      { answer_log_id: second.id, answer: { text: 'told better', is_cut: false }, holds: 'correction' },
      { answer_log_id: first.id, question: { text: 'asked' }, answer: { text: '😀'.repeat(280), is_cut: true } },
    ]);
    const [core, ...more] = (await entries()).map((row) => readingCore.parse(parseJsonText(row.core_json)));
    expect(more).toEqual([]);
    expect(items.map(({ entry_id: entryId }) => entryId)).toEqual([core?.id, core?.id]);
    const actor = { kind: 'user', id: stage.member.userId, token_id: stage.member.tokenId };
    const ids = [second.id, first.id];
    expect(core).toMatchObject({ ...WHY, operation: 'browseTexts', answer_log_ids: ids, actor });
  });

  it('says of a text that is gone what became of it', async () => {
    const { stage, browse } = await open();
    const record = await createRecord(stage);
    await appendEvent(stage, record.id, { event_type: 'redacted', reason: 'asked' });
    const { items } = browsedTexts.parse((await browse([record.id])).body);
    expect(items).toMatchObject([{ question: { text: null, text_state: 'redacted' }, answer: { text: null } }]);
  });

  it('enters and shows nothing where one record is unknown or belongs to another application', async () => {
    const { stage, entries, browse } = await open();
    const own = await createRecord(stage);
    const other = await createRecord(stage, { application_key: 'other-bot' });
    expect(await browse([own.id, NO_ID])).toMatchObject({ status: 404, code: 'not_found' });
    expect(await browse([own.id, other.id], stage.application)).toMatchObject({ status: 403 });
    for (const [ids, more] of [
      [[], {}],
      [[own.id], { reason: ' ' }],
      [[own.id], { reason_code: 'curiosity' }],
      [Array.from({ length: 101 }, () => own.id), {}],
      [['x'], {}],
    ] as const)
      expect(await browse(ids, stage.member, more)).toMatchObject({ status: 422, code: 'schema_violation' });
    expect(await entries()).toEqual([]);
  });
});
