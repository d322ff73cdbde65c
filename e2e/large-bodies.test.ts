import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readToken, type ServiceProcess, startProcess } from '../tools/scenery/service-process.ts';
import { answer } from '../tools/scenery/test-service.ts';
import { openReadyData } from './support/ready-data.ts';

let dataDir: string;
let service: ServiceProcess;
let baseUrl: string;
let token: string;
beforeAll(async () => {
  dataDir = await openReadyData('large');
  // The program as it is delivered: its threads begin with files beside it. The budget of bytes is one that the last
  // test exceeds on a machine of any pace, and the others do not.
  service = startProcess({ dataDir, environment: { SERVICE_RATE_LIMITS: 'kilobytes=1024/s,work=off' } });
  baseUrl = await service.ready;
  token = await readToken(dataDir);
}, 60_000);
afterAll(async () => {
  await service.stop();
  await rm(dataDir, { recursive: true, force: true });
}, 60_000);

async function post(path: string, body: string) {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const response = await fetch(`${baseUrl}${path}`, { method: 'POST', headers, body });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

const ref = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`member_${n}`, n]));

describe('a body of more than 64 KiB', () => {
  it('is recorded, with every ref as it was sent', async () => {
    const refs = Array.from({ length: 150 }, (_, n) => ({ ...ref, n }));
    const { status, body } = await post(
      '/api/answer-audit-logs',
      JSON.stringify({ ...answer('large'), semantic_refs: refs }),
    );
    expect(status).toBe(201);
    expect(body.semantic_refs).toEqual(refs);
  });

  it('is refused as a small one is, with the place of the fault', async () => {
    const refs = Array.from({ length: 150 }, () => ref);
    const wrong = JSON.stringify({ ...answer('large'), semantic_refs: refs, environment: 7 });
    const { status, body } = await post('/api/answer-audit-logs', wrong);
    expect([status, body.code, body.errors[0].pointer]).toEqual([422, 'schema_violation', '/environment']);
    const cut = await post('/api/answer-audit-logs', wrong.slice(0, -1));
    expect([cut.status, cut.body.code]).toEqual([400, 'malformed_json']);
    expect(cut.body.detail).toContain(`column ${wrong.length}`);
  });

  it('is refused for a while when its token has sent too many, and small ones of that token are not', async () => {
    const escapes = `"${'\\u0061'.repeat(1_300_000)}`;
    // The first of them is owed for seven seconds.
    const replies = await Promise.all(Array.from({ length: 6 }, () => post('/api/reconciliations/runs', escapes)));
    const refused = replies.find(({ status }) => status === 429);
    expect(refused?.body.code).toBe('rate_limited');
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused?.headers.get('ratelimit-policy')).toBe('"kilobytes";q=1024;w=1');
    expect(refused?.headers.get('ratelimit')).toMatch(/^"kilobytes";r=0;t=\d+$/);
    expect((await post('/api/answer-audit-logs', JSON.stringify(answer('small')))).status).toBe(201);
  });
});
