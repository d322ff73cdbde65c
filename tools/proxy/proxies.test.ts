import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { problem } from '@answer-evidence/contracts';
import { listen, type ListeningServer } from '@answer-evidence/testing';
import { PROXY_PROGRAMS, ROUTER_PROGRAM, type RunningProxy, startProxy } from '../scenery/proxy-program.ts';
import { ownedPaths, SPLIT_ROLES, type SplitRole } from './routing-table.ts';

const DEADLINE_MS = 60_000;
const UPLOAD_BYTES = 3_000_000;

/** A process of a role: it says which one it is, the path that reached it, and how much came with it. */
function openRole(role: SplitRole): Promise<ListeningServer> {
  return listen((req, res) => {
    let bytes = 0;
    req.on('data', (chunk: Uint8Array) => (bytes += chunk.length));
    req.on('end', () => {
      const { host, 'x-forwarded-for': from } = req.headers;
      res.end(JSON.stringify({ role, url: req.url, host, from, bytes }));
    });
  });
}

describe.each([...PROXY_PROGRAMS, ROUTER_PROGRAM])('$name with the generated configuration', (program) => {
  if (!program.canRun) {
    it.skip('is not installed', () => undefined);
    return;
  }
  const servers = new Map<SplitRole, ListeningServer>();
  let proxy: RunningProxy;

  beforeAll(async () => {
    for (const role of SPLIT_ROLES) servers.set(role, await openRole(role));
    const addressOf = (role: SplitRole): string => new URL(servers.get(role)?.url ?? '').host;
    proxy = await startProxy(program, { addressOf, grpcAddress: addressOf('otlp-ingester') });
  }, DEADLINE_MS);

  afterAll(async () => {
    await proxy.close();
    for (const server of servers.values()) await server.close();
  }, DEADLINE_MS);

  it('sends every operation to the process that serves it, as it was asked', async () => {
    // In the place of the loopback address, Envoy puts one of the machine.
    const from = program.name === 'envoy' ? expect.stringMatching(/^\d+(\.\d+){3}$/) : '127.0.0.1';
    for (const { path, role } of ownedPaths()) {
      const asked = `${path.replaceAll(/\{\+?([^}]*)\}/g, '$1')}?page=1&q=a%2Fb`;
      const seen = await (await fetch(`${proxy.url}${asked}`)).json();
      expect(seen).toMatchObject({ role, url: asked, host: new URL(proxy.url).host, from });
    }
  });

  it('adds the address that it sees to those that the proxies in front have said', async () => {
    const headers = { 'X-Forwarded-For': '203.0.113.7, 198.51.100.1' };
    const seen = await (await fetch(`${proxy.url}/api/whoami`, { headers })).json();
    expect(seen.from).toMatch(/^203\.0\.113\.7, ?198\.51\.100\.1, ?\d+(\.\d+){3}$/);
  });

  it('passes on what is larger than its own limits would be', async () => {
    const response = await fetch(`${proxy.url}/api/evidence-assets`, {
      method: 'POST',
      body: new Uint8Array(UPLOAD_BYTES),
    });
    expect(await response.json()).toMatchObject({ role: 'evidence-store', bytes: UPLOAD_BYTES });
  });

  it('answers for a process that cannot be reached with a problem to be repeated, and goes on for the others', async () => {
    await servers.get('trust-worker')?.close();
    servers.delete('trust-worker');
    const refused = await fetch(`${proxy.url}/api/trust/policy`);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    expect(refused.headers.get('content-type')).toBe('application/problem+json');
    expect(problem.parse(await refused.json())).toMatchObject({ status: 503, code: 'overloaded' });
    expect((await fetch(`${proxy.url}/api/whoami`)).status).toBe(200);
  });
});
