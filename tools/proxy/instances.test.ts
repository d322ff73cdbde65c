import { request, type ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { listen, type ListeningServer } from '@answer-evidence/testing';
import { PROXY_PROGRAMS, type RunningProxy, startProxy } from '../scenery/proxy-program.ts';
import { parseInstances, UsageError } from './parse-instances.ts';

const DEADLINE_MS = 60_000;
const PROCESSES = ['one', 'two', 'three'];
const WORKSPACES = Array.from({ length: 40 }, (_, n) => `workspace-${n}`);
type Reply = { readonly status: number; readonly taker: string };

const BODY = JSON.stringify({ question: 'x'.repeat(2_000) });

/** The ones that need an address that stays; the router of the chart has one for each role. */
const PROGRAMS = PROXY_PROGRAMS.filter(({ name }) => ['nginx', 'caddy', 'envoy'].includes(name));

describe.each(PROGRAMS)('$name before several processes', (program) => {
  if (!program.canRun) {
    it.skip('is not installed', () => undefined);
    return;
  }
  const servers = new Map<string, ListeningServer>();
  const hung = new Set<string>();
  const held: ServerResponse[] = [];
  let proxy: RunningProxy;

  const start = async (by: 'host' | 'token'): Promise<void> => {
    const addresses = [...servers.values()].map((server) => new URL(server.url).host);
    const of = (): readonly string[] => addresses;
    proxy = await startProxy(program, {
      addressOf: () => addresses[0] ?? '',
      grpcAddress: addresses[0] ?? '',
      instances: { by, of },
    });
  };

  beforeEach(async () => {
    for (const name of PROCESSES)
      servers.set(
        name,
        await listen(
          (req, res) => {
            req.resume();
            const status = req.url === '/livez' ? 200 : 201;
            if (hung.has(name)) held.push(res);
            else req.on('end', () => res.writeHead(status, { 'X-Process': name }).end());
          },
          // As the service has it; by itself Node closes a connection just when a proxy sends something on it.
          { keepAliveTimeout: 65_000 },
        ),
      );
  }, DEADLINE_MS);

  afterEach(async () => {
    for (const response of held.splice(0)) response.end();
    await proxy.close();
    for (const server of servers.values()) await server.close();
    servers.clear();
    hung.clear();
  }, DEADLINE_MS);

  // Not by `fetch`, which sets `Host` itself.
  const send = (headers: Record<string, string>, timeout = DEADLINE_MS): Promise<Reply> =>
    new Promise((resolve, reject) => {
      const options = { method: 'POST', timeout, headers: { 'Content-Type': 'application/json', ...headers } };
      const sent = request(`${proxy.url}/api/answer-audit-logs`, options, (reply) => {
        reply.resume();
        reply.once('error', reject);
        const taker = String(reply.headers['x-process']);
        reply.once('end', () => resolve({ status: reply.statusCode ?? 0, taker }));
      });
      sent.once('error', reject);
      sent.once('timeout', () => sent.destroy(new Error('no reply')));
      sent.end(BODY);
    });

  /** Which process takes a create of each workspace. */
  const takersOf = async (
    headersOf: (workspace: string) => Record<string, string>,
    sendOne: (headers: Record<string, string>) => Promise<Reply> = send,
  ) => {
    const takers = new Map<string, string>();
    for (const workspace of WORKSPACES) {
      const reply = await sendOne(headersOf(workspace));
      expect([workspace, reply.status]).toEqual([workspace, 201]);
      takers.set(workspace, reply.taker);
    }
    return takers;
  };
  /** A request on a connection that its process has just closed may have been taken: only its sender may repeat it. */
  const sendUntilReached = async (headers: Record<string, string>): Promise<Reply> => {
    for (;;) {
      const reply = await send(headers);
      if (reply.status !== 503) return reply;
    }
  };
  const byToken = (workspace: string) => ({ Authorization: `Bearer ${workspace}` });

  it(
    'sends the requests of a token to one process, those of all tokens to every process',
    async () => {
      await start('token');
      const takers = await takersOf(byToken);
      for (let again = 0; again < 3; again++) expect(await takersOf(byToken)).toEqual(takers);
      expect(new Set(takers.values())).toEqual(new Set(PROCESSES));
    },
    DEADLINE_MS,
  );

  it(
    'sends the requests of a host to one process, whatever their tokens',
    async () => {
      await start('host');
      const withToken = (token: string) =>
        takersOf((workspace) => ({ Host: `${workspace}.example`, Authorization: token }));
      const takers = await withToken('Bearer one');
      expect(await withToken('Bearer another')).toEqual(takers);
      expect(new Set(takers.values())).toEqual(new Set(PROCESSES));
    },
    DEADLINE_MS,
  );

  it(
    'sends them elsewhere while the process cannot be reached, and nobody else’s',
    async () => {
      await start('token');
      const before = await takersOf(byToken);
      await servers.get('two')?.close();
      servers.delete('two');
      const after = await takersOf(byToken, sendUntilReached);
      for (const [workspace, taker] of before) {
        if (taker === 'two') expect(after.get(workspace)).not.toBe('two');
        else expect([workspace, after.get(workspace)]).toEqual([workspace, taker]);
      }
      expect(new Set(after.values())).toEqual(new Set(['one', 'three']));
    },
    DEADLINE_MS,
  );

  // nginx asks nobody whether they live; its plus version does.
  if (program.name !== 'nginx')
    it(
      'sends them elsewhere while the process takes connections and responds to nothing',
      async () => {
        await start('token');
        const before = await takersOf(byToken);
        hung.add('two');
        const sendUntilTaken = async (headers: Record<string, string>): Promise<Reply> => {
          for (;;) {
            const reply = await send(headers, 1_000).catch(() => undefined);
            if (reply !== undefined) return reply;
          }
        };
        const after = await takersOf(byToken, sendUntilTaken);
        for (const [workspace, taker] of before)
          if (taker !== 'two') expect([workspace, after.get(workspace)]).toEqual([workspace, taker]);
        expect(new Set(after.values())).toEqual(new Set(['one', 'three']));
      },
      DEADLINE_MS,
    );
});

describe('the processes on the command line', () => {
  it('are those that are named, and for any other role the one of its name', () => {
    const of = parseInstances(['ingest-api=a:1,10.0.0.2:8080']);
    expect([of('ingest-api'), of('trust-worker')]).toEqual([['a:1', '10.0.0.2:8080'], ['trust-worker:8080']]);
  });

  it.each(['ingest-api', 'ingest-api=', 'nobody=a:1', 'ingest-api=a', 'ingest-api=a:1;b:2', 'ingest-api=a:1,a:1'])(
    'are refused as %s',
    (text) => {
      expect(() => parseInstances([text])).toThrow(UsageError);
    },
  );
});
