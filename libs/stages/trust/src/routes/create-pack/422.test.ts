import { describe, expect, it } from '@jest/globals';
import { createFakeTrust, createRecord } from '../../fixtures/trust.ts';

describe('POST /api/trust/packs', () => {
  it('answers 422 to no record, to a record named twice, to too many, and to what is no id', async () => {
    const stage = createFakeTrust();
    const { id } = await createRecord(stage);
    const many = Array.from({ length: 201 }, (_, n) => id.replace(/.{3}$/, n.toString().padStart(3, '0')));
    for (const answer_log_ids of [[], [id, id.toUpperCase()], many, ['x'], undefined])
      expect(
        await stage.call('POST', '/api/trust/packs', { as: stage.manager, body: { answer_log_ids } }),
      ).toMatchObject({ status: 422, code: 'schema_violation' });
  });
});
