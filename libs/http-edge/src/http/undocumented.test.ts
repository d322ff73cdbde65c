import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as z from 'zod';
import { ServiceError } from '@answer-evidence/contracts';
import type { RouteReply } from '@answer-evidence/routes';
import { type OpenEdge, openEdge } from '../fixtures/open-edge.ts';
import { failingRoute, replyRoute } from '../fixtures/routes.ts';

describe('an edge that is told to check its replies', () => {
  const faults: string[] = [];
  const reply: RouteReply = { status: 200, body: { name: 1 } };
  let checking: OpenEdge;
  let trusting: OpenEdge;

  beforeAll(async () => {
    const routes = [
      {
        ...replyRoute('/thing', reply),
        responses: { 200: { description: 'A thing.', schema: z.strictObject({ name: z.string() }) } },
      },
      failingRoute('/taken', () => {
        throw new ServiceError('name_taken', 'taken');
      }),
    ];
    checking = await openEdge(routes, { onUndocumented: (fault) => faults.push(fault) });
    trusting = await openEdge(routes);
  });
  afterAll(async () => {
    await checking.close();
    await trusting.close();
  });

  it('reports an undocumented reply and answers 500 in its place', async () => {
    expect((await checking.send('/thing')).status).toBe(500);
    expect(faults).toContainEqual('getthing 200: invalid_type at /name');
    expect((await trusting.send('/thing')).status).toBe(200);
  });

  it('reports an undocumented refusal and sends it all the same', async () => {
    expect((await checking.send('/taken')).status).toBe(409);
    expect(faults).toContainEqual('gettaken 409: the status is not documented');
  });
});
