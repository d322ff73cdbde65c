import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ID, manager, type OpenEdge, openEdge, replyRoute } from '@answer-evidence/http-edge/fixtures';
import { createLogger } from './logger.ts';
import { createMetrics } from './metrics.ts';

const metrics = createMetrics({ lostLines: () => 0 });
let edge: OpenEdge;
beforeAll(async () => {
  edge = await openEdge([replyRoute('/things/{id}', { status: 200, body: {} })], {
    openLogger: (destination) => createLogger({ level: 'info', destination }),
    metrics: metrics.http,
  });
});
afterAll(() => edge.close());

describe('a request line', () => {
  it('has the template of the route, ids of ours and numbers, and nothing that was sent', async () => {
    const response = await edge.send(`/things/${ID}`);
    const requestId = response.headers.get('x-request-id') ?? '';
    const line: unknown = JSON.parse(await edge.logs.find(requestId));
    expect(line).toEqual({
      level: 'info',
      time: expect.any(String),
      method: 'GET',
      route: '/things/{id}',
      status: 200,
      duration_ms: expect.any(Number),
      request_id: requestId,
      workspace_id: manager.workspaceId,
      token_id: manager.tokenId,
      msg: 'request',
    });
    expect(edge.logs.all()).not.toContain(ID);
  });

  it('of a request that matched nothing says so, and so does its metric', async () => {
    await edge.send('/secret-path?secret=1');
    expect(await edge.logs.find('"code":"not_found"')).toContain('"route":"unmatched"');
    const text = await metrics.registry.metrics();
    expect(text).toContain('http_request_duration_seconds_count{route="unmatched",method="GET",status="404"} 1');
    expect(text).toMatch(/^http_requests_in_flight 0$/m);
    expect(text + edge.logs.all()).not.toContain('secret');
  });
});
