import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { type IncomingMessage, request as requestInClear } from 'node:http';
import { connect as connectHttp2, type IncomingHttpHeaders } from 'node:http2';
import { Agent, request } from 'node:https';
import { connect as connectInClear } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { connect, type PeerCertificate, type TLSSocket } from 'node:tls';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runOpenssl } from '@answer-evidence/testing';
import { until } from '../tools/scenery/service-process.ts';
import { answer, openTestService, type TestService } from '../tools/scenery/test-service.ts';

const RECORDS = '/api/answer-audit-logs';

let folder: string;
let service: TestService;
let ca: Buffer[];

const file = (name: string) => join(folder, name);
const port = () => Number(new URL(service.baseUrl).port);

/** A certificate of its own for this machine. */
async function makeCertificate(name: string): Promise<Buffer> {
  await runOpenssl(folder, [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'],
    ...['-keyout', `${name}.key`, '-out', `${name}.crt`, '-subj', `/CN=${name}`],
    ...['-addext', 'subjectAltName=IP:127.0.0.1'],
  ]);
  return await readFile(file(`${name}.crt`));
}

/** Puts a file in the place of another at once, as tools that renew certificates do. */
async function replace(name: string, by: string): Promise<void> {
  await copyFile(file(by), file(`${name}.next`));
  await rename(file(`${name}.next`), file(name));
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'answer-evidence-tls-'));
  ca = [await makeCertificate('first'), await makeCertificate('second')];
  await Promise.all([replace('used.crt', 'first.crt'), replace('used.key', 'first.key')]);
  service = await openTestService({
    environment: {
      SERVICE_TLS_CERT_FILE: file('used.crt'),
      SERVICE_TLS_KEY_FILE: file('used.key'),
      SERVICE_OTLP_GRPC_PORT: '0',
    },
  });
}, 60_000);
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

/** Status and body of a request, over the agent's connections or one of its own. */
async function send(method: string, path: string, body?: object, agent?: Agent): Promise<[number, any]> {
  const text = body === undefined ? '' : JSON.stringify(body);
  const sent = request({
    port: port(),
    host: '127.0.0.1',
    method,
    path,
    ca,
    ...(agent === undefined ? { agent: false } : { agent }),
    headers: {
      Authorization: `Bearer ${service.managerToken}`,
      ...(body === undefined ? {} : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) }),
    },
  });
  sent.end(text);
  const [reply] = (await once(sent, 'response')) as [IncomingMessage];
  return [reply.statusCode ?? 0, JSON.parse((await buffer(reply)).toString())];
}

async function shake(options: object = {}): Promise<PeerCertificate> {
  const socket: TLSSocket = connect({ port: port(), host: '127.0.0.1', ca, ...options });
  try {
    await once(socket, 'secureConnect');
    return socket.getPeerCertificate();
  } finally {
    socket.destroy();
  }
}

describe('a service with a certificate', () => {
  it('speaks HTTPS, and names its address so', async () => {
    const [status, record] = await send('POST', RECORDS, answer('over TLS'));
    expect(status).toBe(201);
    expect((await send('GET', `${RECORDS}/${record.id}`))[0]).toBe(200);
    expect(await readFile(join(service.dataDir, 'config.yaml'), 'utf8')).toContain(`https://127.0.0.1:${port()}`);
  });

  it('speaks TLS 1.2 and 1.3, nothing older, and no HTTP in clear', async () => {
    for (const version of ['TLSv1.2', 'TLSv1.3'])
      expect((await shake({ minVersion: version, maxVersion: version })).subject.CN).toBe('first');
    const old = { minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' };
    await expect(shake(old)).rejects.toThrow();
    const sent = requestInClear({ port: port(), host: '127.0.0.1', path: '/healthz' });
    sent.end();
    await expect(once(sent, 'response')).rejects.toThrow();
  });

  it('binds browsers to HTTPS, whatever it is asked for', async () => {
    for (const path of ['/api/whoami', '/healthz', '/console/', '/nowhere']) {
      const sent = request({ port: port(), host: '127.0.0.1', path, ca, agent: false });
      sent.end();
      const [reply] = (await once(sent, 'response')) as [IncomingMessage];
      reply.resume();
      expect(reply.headers['strict-transport-security']).toBe('max-age=31536000');
    }
  });

  it('speaks gRPC over TLS too', async () => {
    const session = connectHttp2(`https://127.0.0.1:${service.grpcPort}`, { ca });
    const path = '/opentelemetry.proto.collector.trace.v1.TraceService/Export';
    const stream = session.request({ ':method': 'POST', ':path': path, 'content-type': 'application/grpc' });
    stream.end(Buffer.alloc(5));
    const [headers] = (await once(stream, 'response')) as [IncomingHttpHeaders];
    expect(headers['grpc-status']).toBe('16');
    session.destroy();
  });

  it('is trusted by the command line by NODE_EXTRA_CA_CERTS', async () => {
    const cli = join(import.meta.dirname, '..', 'apps/cli/bin/answer-evidence.mjs');
    const run = (extra: object) =>
      promisify(execFile)(process.execPath, [cli, 'whoami'], {
        env: {
          PATH: process.env['PATH'],
          HOME: folder,
          SERVICE_REGISTRY: `https://127.0.0.1:${port()}`,
          SERVICE_TOKEN: service.managerToken,
          ...extra,
        },
      });
    expect((await run({ NODE_EXTRA_CA_CERTS: file('first.crt') })).stdout).toContain('manager');
    await expect(run({})).rejects.toThrow();
  });

  it('takes a renewed certificate without losing a request, and keeps it when the next one is broken', async () => {
    const kept = new Agent({ keepAlive: true, maxSockets: 1, ca });
    const statuses: number[] = [];
    let isOver = false;
    const load = async (agent?: Agent) => {
      while (!isOver) statuses.push((await send('GET', '/api/whoami', undefined, agent))[0]);
    };
    const loads = [load(), load(), load(kept)];
    await replace('used.crt', 'second.crt');
    await replace('used.key', 'second.key');
    await until('the new certificate', async () => (await shake()).subject.CN === 'second');
    isOver = true;
    await Promise.all(loads);
    kept.destroy();
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect((await shake({ port: service.grpcPort, ALPNProtocols: ['h2'] })).subject.CN).toBe('second');
    expect(service.reports).toContain('TLS certificate renewed');

    await replace('used.key', 'first.key');
    await until('the report', () =>
      Promise.resolve(service.reports.some((line) => line.startsWith('the previous TLS certificate stays in use'))),
    );
    expect((await shake()).subject.CN).toBe('second');
    await replace('used.key', 'second.key');
  }, 60_000);

  it('stops in time while a handshake is not finished', async () => {
    const other = await openTestService({
      environment: { SERVICE_TLS_CERT_FILE: file('first.crt'), SERVICE_TLS_KEY_FILE: file('first.key') },
    });
    const socket = connectInClear(Number(new URL(other.baseUrl).port), '127.0.0.1');
    await once(socket, 'connect');
    const closed = once(socket, 'close');
    await other.close();
    await closed;
  }, 60_000);
});

describe('a start', () => {
  const start = (cert: string, key: string) =>
    openTestService({ environment: { SERVICE_TLS_CERT_FILE: file(cert), SERVICE_TLS_KEY_FILE: file(key) } });

  it.each([
    ['first.crt', 'second.key', /not a certificate and its key/],
    ['first.key', 'first.key', /not a certificate and its key/],
    ['absent.crt', 'first.key', /SERVICE_TLS_CERT_FILE cannot be read \(ENOENT\)/],
  ])('with %s and %s is refused with a sentence', async (cert, key, words) => {
    await expect(start(cert, key)).rejects.toThrow(words);
  });
});
