import { existsSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readLogAt, verifyBundle } from '../../../packages/verify/src/index.ts';

const FROZEN = join(import.meta.dirname, '../../../e2e/frozen/v1');
const [bundle, trust] = ['bundles/plain.json', 'trust/trust.json'].map((file) => readFileSync(join(FROZEN, file))) as [
  Buffer,
  Buffer,
];

let server: Server;
let url: string;

/** The frozen log under `/log`; any other folder is a host with a fault. */
beforeAll(async () => {
  server = createServer((request, response) => {
    const [, folder = '', ...path] = (request.url ?? '').split('/');
    if (folder === 'down') response.writeHead(500).end();
    else if (folder === 'huge') response.writeHead(200).end(Buffer.alloc(20 * 1024 * 1024));
    else if (folder === 'moved') response.writeHead(302, { location: `/log/${path.join('/')}` }).end();
    else if (request.headers.authorization !== 'Bearer t') response.writeHead(401).end();
    else {
      const found = readFound(join(FROZEN, 'tlog', ...path));
      response.writeHead(found === undefined ? 404 : 200).end(found);
    }
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

function readFound(file: string): Buffer | undefined {
  return existsSync(file) ? readFileSync(file) : undefined;
}

const headers = { authorization: 'Bearer t' };

describe('a log at a URL', () => {
  it('shows that the bundle leaves no event out', async () => {
    const { checks } = await verifyBundle(bundle, trust, { log: readLogAt(`${url}/log/`, headers) });
    expect(checks.find(({ check }) => check === 'event_completeness')?.outcome).toBe('PASS');
  });

  it('has nothing where the host has nothing', async () => {
    expect(await readLogAt(`${url}/log`, headers)('tile/entries/999')).toBeUndefined();
  });

  it.each([
    ['does not respond with it', 'down', 'status 500'],
    ['sends more than such a resource can be', 'huge', ''],
    ['sends elsewhere', 'moved', ''],
    ['wants an authorization', 'log', 'status 401'],
  ])('that %s is no verification', async (_, folder, message) => {
    await expect(verifyBundle(bundle, trust, { log: readLogAt(`${url}/${folder}`) })).rejects.toThrow(message);
  });
});
