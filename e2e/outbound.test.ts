import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, createServer as createRawServer, type Server as RawServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { COSIGNATURE_ED25519, createVkey, formatVkey } from '@answer-evidence/note';
import { findFreePort } from '@answer-evidence/testing';
import { until } from '../tools/scenery/service-process.ts';
import { openTestService, type Reply, type TestService } from '../tools/scenery/test-service.ts';
import { EAGER_POLICY } from './support/attested-log.ts';

const MINUTES_MS = 60_000;

const witnessAt = (url: string) =>
  `witness w1 ${formatVkey(createVkey('witness.example/w1', COSIGNATURE_ED25519, new Uint8Array(32).fill(7)))} ${url}\nquorum w1\n`;

const bucketAt = (url: string) => ({
  id: 'bucket',
  type: 'object-lock',
  url,
  bucket: 'checkpoints',
  retention_days: 1,
  access_key_id: 'nobody',
  secret_access_key: 'a secret of the tenant',
});

const put = (service: TestService, policy: object): Promise<Reply> =>
  service.call('PUT', '/api/trust/policy', { body: { ...EAGER_POLICY, ...policy } });

describe('a service on the loopback address, behind a proxy', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await openTestService({
      environment: {
        SERVICE_HTTP_HOST: '127.0.0.1',
        SERVICE_TRUSTED_PROXIES: '1',
        SERVICE_BASE_URL: 'https://evidence.example.com',
        SERVICE_OUTBOUND_ALLOW: '',
      },
    });
  });
  afterAll(() => service.close());

  it.each(['http://127.0.0.1:18149', 'https://127.0.0.1:5432', 'http://localhost:22', 'http://[::1]:9465'])(
    'does not let a tenant have it call %s',
    async (url) => {
      const refused = { status: 422, body: { code: 'trust_policy_not_valid' } };
      expect(await put(service, { witness_policy: witnessAt(url) })).toMatchObject(refused);
      expect(await put(service, { anchors: [bucketAt(url)] })).toMatchObject(refused);
    },
  );
});

describe('what a tenant reads of a call that failed', () => {
  let service: TestService;
  const servers: (Server | RawServer)[] = [];
  const listen = async (server: Server | RawServer): Promise<string> => {
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  beforeAll(async () => {
    service = await openTestService();
  });
  afterAll(async () => {
    await service.close();
    for (const server of servers) server.close();
  });

  it(
    'is the same for a closed port and one that speaks another protocol',
    async () => {
      const told: unknown[] = [];
      const hangUp: RequestListener = (request) => request.socket.destroy();
      for (const url of [
        `http://127.0.0.1:${await findFreePort()}`,
        await listen(createRawServer((socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n'))),
        await listen(createRawServer((socket) => socket.destroy())),
        await listen(createServer(hangUp)),
      ]) {
        expect(await put(service, { anchors: [bucketAt(url)], witness_policy: witnessAt(url) })).toMatchObject({
          status: 200,
        });
        expect(await service.call('POST', '/api/trust/anchors/run', { body: {} })).toMatchObject({ status: 202 });
        await until('a failed attempt of both', async () => {
          const { items: anchors } = (await service.call('GET', '/api/trust/anchors')).body;
          const { items: witnesses } = (await service.call('GET', '/api/trust/witnesses')).body;
          const details = anchors[0]?.attempts?.map(({ detail }: { detail: string }) => detail) ?? [];
          const lastError: string | null = witnesses[0]?.last_error ?? null;
          if (details.length === 0 || lastError === null) return false;
          told.push({ details: [...new Set(details)], lastError });
          return true;
        });
      }
      expect(new Set(told.map((one) => JSON.stringify(one)))).toEqual(
        new Set([JSON.stringify({ details: ['no usable response arrived'], lastError: 'no usable response' })]),
      );
    },
    MINUTES_MS,
  );
});
