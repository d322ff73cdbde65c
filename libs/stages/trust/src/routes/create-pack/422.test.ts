import { describe, expect, it } from '@jest/globals';
import { createRecord, openTrust } from '../../fixtures/trust.ts';

describe('POST /api/trust/packs', () => {
  it('answers 422 to no record, to a record named twice, to too many, and to what is no id', async () => {
    const stage = await openTrust();
    const { id } = await createRecord(stage);
    const many = Array.from({ length: 201 }, (_, n) => id.replace(/.{3}$/, n.toString().padStart(3, '0')));
    const body = { answer_log_ids: [id], texts: 'shown' };
    expect(await stage.call('POST', '/api/trust/packs', { as: stage.manager, body })).toMatchObject({ status: 422 });
    for (const answer_log_ids of [[], [id, id.toUpperCase()], many, ['x'], undefined])
      expect(
        await stage.call('POST', '/api/trust/packs', { as: stage.manager, body: { answer_log_ids } }),
      ).toMatchObject({ status: 422, code: 'schema_violation' });
  });

  it('answers 422 to bundles that are larger than 32 MiB together, names the first that is too much, and logs nothing', async () => {
    const stage = await openTrust();
    // Six characters of JSON for each byte.
    const text = '\u0001'.repeat(80_000);
    const ids: string[] = [];
    while (ids.length < 35) ids.push((await createRecord(stage, { question: { text }, answer: { text } })).id);
    const call = async (answer_log_ids: readonly string[]) =>
      stage.call('POST', '/api/trust/packs', { as: stage.manager, body: { answer_log_ids } });
    expect(await call(ids)).toMatchObject({
      status: 422,
      code: 'schema_violation',
      errors: [{ pointer: '/answer_log_ids/34', detail: 'must be left for another pack' }],
    });
    expect(await stage.logs.workspaceEntries(stage.workspace.id, 'export_made')).toEqual([]);
    expect(await call(ids.slice(0, 34))).toMatchObject({ status: 200 });
  });
});
