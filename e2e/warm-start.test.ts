import { expect, it } from '@jest/globals';
import { answer, openTestService } from '../tools/scenery/test-service.ts';

it('leaves nothing in any log: the first record has the same place with a rehearsal and without', async () => {
  const places: unknown[] = [];
  for (const mode of ['off', 'on']) {
    const service = await openTestService({ environment: { SERVICE_WARM_START: mode } });
    try {
      expect((await service.call('GET', '/api/answer-audit-logs')).body.total).toBe(0);
      const { status, body } = await service.call('POST', '/api/answer-audit-logs', { body: answer('first?') });
      expect(status).toBe(201);
      places.push(body.ledger.leaf_index);
    } finally {
      await service.close();
    }
  }
  expect(places[1]).toBe(places[0]);
});
