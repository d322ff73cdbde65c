import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { type AddressInfo, createServer as createPlain, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer, type TLSSocket } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { TlsDelivery } from '@answer-evidence/ports';
import { findFreePort, issueCertificate } from '@answer-evidence/testing';
import { createOutboundTls } from './outbound-tls.ts';

const SENT = new TextEncoder().encode('x'.repeat(300_000));

let folder: string;
let [cert, key] = ['', ''];
const servers: Server[] = [];
const sockets = new Set<Socket>();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'answer-evidence-tls-'));
  const extensions = 'basicConstraints=critical,CA:TRUE\nsubjectAltName=DNS:siem.example.com,IP:127.0.0.1';
  cert = await issueCertificate(folder, { name: 'receiver', extensions });
  key = await readFile(join(folder, 'receiver.key'), 'utf8');
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
  for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function listenOn(server: Server): Promise<number> {
  servers.push(server);
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

const receive = (how: (socket: TLSSocket) => void) =>
  listenOn(createServer({ cert, key }, (socket) => how(socket.on('error', () => undefined))));

/** A way out for which the name is that of this machine, which the operator allows or not. */
const outboundTo = (allowed: readonly string[], address = '127.0.0.1') =>
  createOutboundTls({
    allowList: new Set(allowed),
    resolve: () => Promise.resolve([{ address, family: 4 }]),
  });
const outbound = outboundTo(['siem.example.com:*']);

const deliver = (port: number, more: Partial<TlsDelivery> = {}, by = outbound) =>
  by.deliver({ host: 'siem.example.com', port, bytes: SENT, ca: cert, timeoutMs: 5_000, ...more });

describe('a delivery over TLS', () => {
  it('resolves when the other side has read everything and ended the connection in turn', async () => {
    let size = 0;
    const port = await receive((socket) => socket.on('data', (chunk: Uint8Array) => (size += chunk.byteLength)));
    await deliver(port);
    expect(size).toBe(SENT.byteLength);
  });

  it.each<[string, (socket: TLSSocket) => void]>([
    ['closes at once', (socket) => socket.destroy()],
    ['goes away while it reads', (socket) => socket.once('data', () => socket.destroy())],
    ['closes without reading', (socket) => socket.pause().end()],
  ])('rejects where the other side %s', async (_, how) => {
    await expect(deliver(await receive(how), { timeoutMs: 1_000 })).rejects.toMatchObject({ name: 'OutboundError' });
  });

  it('rejects after its time where the other side neither reads nor ends, or never speaks TLS', async () => {
    const hanging = await receive((socket) => socket.pause());
    await expect(deliver(hanging, { timeoutMs: 200 })).rejects.toMatchObject({ kind: 'timed_out' });
    const silent = await listenOn(createPlain(() => undefined));
    await expect(deliver(silent, { timeoutMs: 200 })).rejects.toMatchObject({ kind: 'timed_out' });
  });

  it('rejects a peer without TLS, a closed port, another name, another authority, and certificates that are none', async () => {
    const plain = await listenOn(createPlain((socket) => socket.end('220 hello\r\n')));
    const port = await receive(() => undefined);
    const unreachable = { kind: 'unreachable', message: 'the connection failed' };
    await expect(deliver(plain)).rejects.toMatchObject({ name: 'OutboundError' });
    await expect(deliver(await findFreePort())).rejects.toMatchObject(unreachable);
    const other = { host: 'other.example.com' };
    await expect(deliver(port, other, outboundTo(['other.example.com:*']))).rejects.toMatchObject(unreachable);
    await expect(deliver(port, { ca: undefined })).rejects.toMatchObject(unreachable);
    await expect(deliver(port, { ca: 'no certificate' })).rejects.toMatchObject({ name: 'OutboundError' });
    await expect(deliver(port, { certificate: 'none', key: 'none' })).rejects.toMatchObject(unreachable);
  });

  it('calls no address that is not allowed, by its form or by what its name resolves to', async () => {
    const port = await receive(() => undefined);
    const refused = { kind: 'address_refused' };
    expect(() => outboundTo([]).assertPlaceAllowed('127.0.0.1', 6514)).toThrow('not public');
    expect(() => outboundTo([]).assertPlaceAllowed('::1', 6514)).toThrow('not public');
    expect(() => outboundTo([]).assertPlaceAllowed('siem.example.com', 514)).toThrow('port');
    expect(() => outboundTo([]).assertPlaceAllowed('a@b', 6514)).toThrow();
    expect(() => outboundTo([]).assertPlaceAllowed('siem.example.com', 6514)).not.toThrow();
    await expect(deliver(port, {}, outboundTo([]))).rejects.toMatchObject(refused);
    // A host with a port of its own would be judged by that one and called at the other.
    const listed = outboundTo(['siem.example.com:8443']);
    expect(() => listed.assertPlaceAllowed('siem.example.com', 8443)).not.toThrow();
    expect(() => listed.assertPlaceAllowed('siem.example.com:8443', 443)).toThrow('neither a name nor an address');
    await expect(deliver(443, { host: 'siem.example.com:8443' }, listed)).rejects.toMatchObject(refused);
    await expect(deliver(port, {}, outboundTo([], '169.254.169.254'))).rejects.toMatchObject(refused);
    expect(sockets.size).toBe(0);
  });

  it('ends at once when the caller stops', async () => {
    const stopping = new AbortController();
    const delivered = deliver(await receive((socket) => socket.pause()), { signal: stopping.signal });
    stopping.abort();
    await expect(delivered).rejects.toMatchObject({ kind: 'timed_out' });
  });
});
