import { describe, expect, it } from '@jest/globals';
import { appendEvent, createRecord, type IngestTest, openIngest, RECORDS } from '../../fixtures/ingest.ts';

/** Texts that are sealed apart from the refs. */
const LONG = { question: { text: 'asked '.repeat(500) }, answer: { text: 'told '.repeat(500) } };
const REFS = { semantic_refs: [{ concept: 'leave' }], source_refs: [{ source_ref_id: 'faq', source_name: 'faq.md' }] };

/** Deletes what is sealed of an object, or one of its columns, as somebody with the database in hands. */
async function lose({ superuser }: IngestTest, objectId: string, column?: 'texts' | 'items'): Promise<void> {
  const change = column === undefined ? 'delete from %' : `update % set ${column} = null`;
  const text = `${change.replace('%', 'answer_evidence.sealed_contents')} where object_id = $1`;
  expect(await superuser.query(text, [objectId])).toMatchObject({ rowCount: 1 });
}

function read(stage: IngestTest, id: string, headers: Record<string, string> = {}) {
  return stage.call('GET', `${RECORDS}/${id}`, { as: stage.member, headers });
}

/** The id of an event that is appended. */
async function appendTo(stage: IngestTest, id: string, event: object): Promise<string> {
  const { events } = await appendEvent(stage, id, event);
  return events?.at(-1)?.id ?? '';
}

const list = (stage: IngestTest) => stage.call('GET', RECORDS, { as: stage.member });
const DAMAGED = { status: 500, code: 'content_damaged' };

describe('contents that are gone, though no leaf says that they were erased', () => {
  it.each([
    ['of a record without refs', {}, undefined],
    ['of a record with refs', REFS, undefined],
    ['of long texts', { ...LONG, ...REFS }, 'texts'],
  ] as const)('are damage: texts %s', async (_, request, column) => {
    const stage = await openIngest();
    const { id } = await createRecord(stage, request);
    expect(await read(stage, id)).toMatchObject({ status: 200 });
    await lose(stage, id, column);
    expect(await read(stage, id)).toMatchObject(DAMAGED);
  });

  it.each([
    ['semantic refs', { semantic_refs: REFS.semantic_refs }],
    ['source refs', { source_refs: REFS.source_refs }],
  ])('are damage: %s, also in a list', async (_, refs) => {
    const stage = await openIngest();
    const { id } = await createRecord(stage, { ...LONG, ...refs });
    await lose(stage, id, 'items');
    expect(await read(stage, id)).toMatchObject(DAMAGED);
    expect(await list(stage)).toMatchObject(DAMAGED);
  });

  it.each([
    ['a corrected text', { event_type: 'correction_appended', payload: { corrected_answer_text: 'No.' } }],
    ['a reason', { event_type: 'retention_extended', reason: 'a lawsuit' }],
    ['the rest of a payload', { event_type: 'voided', payload: { ticket: 7 } }],
  ] as const)('are damage: %s', async (_, event) => {
    const stage = await openIngest();
    const { id } = await createRecord(stage);
    const eventId = await appendTo(stage, id, event);
    expect(await read(stage, id)).toMatchObject({ status: 200 });
    await lose(stage, eventId);
    expect(await read(stage, id)).toMatchObject(DAMAGED);
  });

  it('are damage to a reader without texts, too, where the whole row is gone', async () => {
    const stage = await openIngest();
    const { id } = await createRecord(stage);
    const headers = { 'service-texts': 'withheld' };
    expect(await read(stage, id, headers)).toMatchObject({ status: 200 });
    await lose(stage, id);
    expect(await read(stage, id, headers)).toMatchObject(DAMAGED);
  });

  it('are none where a redaction has erased them', async () => {
    const stage = await openIngest();
    const { id } = await createRecord(stage, REFS);
    const eventId = await appendTo(stage, id, { event_type: 'voided', reason: 'wrong', payload: { a: 1 } });
    const all = { redact_semantic_refs: true, redact_source_ref_ids: ['faq'], redact_event_ids: [eventId] };
    await appendEvent(stage, id, { event_type: 'redacted', payload: all });
    expect(await read(stage, id)).toMatchObject({ status: 200, body: { question: { text: null } } });
    expect(await list(stage)).toMatchObject({ status: 200 });
  });
});
