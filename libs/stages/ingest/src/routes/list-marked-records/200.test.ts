import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Caller } from '@answer-evidence/access';
import { answeredCounts, type AnswerRecord, markedRecordList } from '@answer-evidence/contracts';
import { appendEvent, createRecord, type IngestTest, openIngest } from '../../fixtures/ingest.ts';
import { createIngestStage } from '../../index.ts';

const imported = (at: string) => ({ semantic_refs: [{ type: 'other' }, { type: 'import', claimed_at: at }] });

describe('GET /api/search/records', () => {
  let stage: IngestTest;
  let records: readonly AnswerRecord[];
  beforeAll(async () => {
    stage = await openIngest();
    records = [
      await createRecord(stage, imported('2024-03-01T12:00:00+02:00')),
      await createRecord(stage, { ...imported('2024-03-05T00:00:00Z'), application_key: 'other-bot' }),
      await createRecord(stage, { source_refs: [{ source_ref_id: 'a', name: 'returns.md' }] }),
      await createRecord(stage, { semantic_refs: [{ type: 'import', claimed_at: '2024-02-31T00:00:00Z' }] }),
    ];
    const third = records[2]?.id ?? '';
    await appendEvent(stage, third, { event_type: 'correction_appended', payload: { corrected_answer_text: 'new' } });
    await appendEvent(stage, third, { event_type: 'voided', reason: 'wrong' });
  });

  async function list(query: Record<string, string> = {}, as: Caller = stage.manager) {
    const reply = await stage.call('GET', '/api/search/records', { as, query });
    expect(reply.status).toBe(200);
    return markedRecordList.parse(reply.body);
  }
  const found = async (query: Record<string, string>, as?: Caller) =>
    (await list(query, as)).items.map(({ record }) => records.findIndex(({ id }) => id === record.id));

  it('says what ever became of a record, and what its importer claims of its time', async () => {
    const { items, total } = await list();
    expect(total).toBe(4);
    expect(items.map(({ answered_at: at }) => at)).toEqual([
      null,
      null,
      '2024-03-05T00:00:00.000000Z',
      '2024-03-01T10:00:00.000000Z',
    ]);
    const nothing = { is_corrected: false, is_voided: false, is_redacted: false, reconciled: null };
    expect(items[1]).toMatchObject({ ...nothing, is_corrected: true, is_voided: true, record: { status: 'voided' } });
    expect(items[0]).toMatchObject({ ...nothing, is_anchored: null });
  });

  it('is narrowed by the time that is claimed, alone and with other filters, page by page', async () => {
    expect(await found({ answered_after: '2024-03-01T10:00:00Z' })).toEqual([1, 0]);
    expect(await found({ answered_before: '2024-03-05T00:00:00Z' })).toEqual([0]);
    expect(await found({ answered_after: '2024-01-01T00:00:00Z', application_key: 'other-bot' })).toEqual([1]);
    expect(await found({ answered_after: '2024-01-01T00:00:00Z', status: 'recorded' })).toEqual([1, 0]);
    expect(await found({ answered_after: '2024-01-01T00:00:00Z', mode: 'none' })).toEqual([]);
    const first = await list({ answered_after: '2024-01-01T00:00:00Z', size: '1' });
    expect(first).toMatchObject({ total: 2, items: [{ record: { id: records[1]?.id } }] });
    expect(await found({ answered_after: '2024-01-01T00:00:00Z', size: '1', cursor: first.next_cursor ?? '' })).toEqual(
      [0],
    );
  });

  it('counts imported answers by that time', async () => {
    const counts = async (query: Record<string, string>, as: Caller = stage.manager) =>
      answeredCounts.parse((await stage.call('GET', '/api/search/answered', { as, query })).body);
    expect(await counts({})).toEqual({
      unit: 'day',
      counts: [
        { from: '2024-03-01', records: 1 },
        { from: '2024-03-05', records: 1 },
      ],
    });
    expect((await counts({ answered_after: '2024-03-02T00:00:00Z' })).counts).toHaveLength(1);
    expect((await counts({}, stage.application)).counts).toEqual([{ from: '2024-03-01', records: 1 }]);
    expect((await counts({ answered_after: '2025-01-01T00:00:00Z' })).counts).toEqual([]);
  });

  it('shows an application nothing but its own records', async () => {
    expect(await found({}, stage.application)).toEqual([3, 2, 0]);
    const other = await stage.call('GET', '/api/search/records', {
      as: stage.application,
      query: { application_key: 'other-bot' },
    });
    expect(other).toMatchObject({ status: 403, code: 'application_not_allowed' });
  });

  it('forgets the claim with the item that makes it, and keeps it while that stays', async () => {
    const kept = await createRecord(stage, imported('2023-01-01T00:00:00Z'));
    const gone = await createRecord(stage, imported('2023-01-02T00:00:00Z'));
    await appendEvent(stage, kept.id, { event_type: 'redacted', reason: 'asked' });
    await appendEvent(stage, gone.id, {
      event_type: 'redacted',
      reason: 'asked',
      payload: { redact_semantic_refs: true },
    });
    const { items } = await list({ answered_before: '2024-01-01T00:00:00Z' });
    expect(items).toMatchObject([
      { record: { id: kept.id }, answered_at: '2023-01-01T00:00:00.000000Z', is_redacted: true },
    ]);
  });
});

it('says who vouches for a record as far as the log is vouched for', async () => {
  const stage = await openIngest();
  const first = await createRecord(stage);
  await createRecord(stage);
  const size = first.ledger.leaf_index + 1;
  const attestations = { ...(await stage.readAttestations('')), witnessedSize: size, anchoredSize: 0 };
  const { routes } = createIngestStage({ ...stage, readAttestations: () => Promise.resolve(attestations) });
  const route = routes.find(({ operationId }) => operationId === 'listMarkedRecords');
  const reply = await route?.handle({ query: {}, caller: stage.manager } as never);
  expect(markedRecordList.parse(reply?.body).items).toMatchObject([
    { is_witnessed: false, is_anchored: false },
    { is_witnessed: true, is_anchored: false },
  ]);
});

it.each([
  [{ answered_after: 'yesterday' }, '?answered_after'],
  [{ answered_after: '2024-02-30T00:00:00Z' }, '?answered_after'],
  [{ answered_after: '2024-03-02T00:00:00Z', answered_before: '2024-03-01T00:00:00Z' }, '?answered_before'],
  [{ created_after: '2024-03-02T00:00:00Z', created_before: '2024-03-01T00:00:00Z' }, '?created_before'],
])('a window such as %j is refused, and the place of the fault is named', async (query, pointer) => {
  const stage = await openIngest();
  const reply = await stage.call('GET', '/api/search/records', { as: stage.manager, query });
  expect(reply).toMatchObject({ status: 422, errors: [expect.objectContaining({ pointer })] });
});
