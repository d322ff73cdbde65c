import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from '@jest/globals';
import { fetchBounded } from './fetch-bounded.ts';

const MIB = 1024 * 1024;

it('what a provider responds is read up to 1 MiB, and no further', async () => {
  let written = 0;
  const server = createServer((req, res) => {
    const bytesMax = Number(req.url?.slice(1));
    res.on('error', () => undefined);
    const piece = Buffer.alloc(64 * 1024, ' ');
    const write = (): void => {
      while (written < bytesMax && !res.destroyed) {
        written += piece.length;
        if (!res.write(piece)) return void res.once('drain', write);
      }
      res.end();
    };
    write();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const ask = (bytes: number) => {
    written = 0;
    return fetchBounded(`${address}/${bytes}`, {} as Parameters<typeof fetchBounded>[1]);
  };
  try {
    expect((await (await ask(MIB)).arrayBuffer()).byteLength).toBe(MIB);
    await expect(ask(512 * MIB)).rejects.toThrow('the response is too large');
    expect(written).toBeLessThan(16 * MIB);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
