import { Client, credentials, status } from '@grpc/grpc-js';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findFreePort } from '@answer-evidence/testing';
import { openExporter } from '@answer-evidence/testing/exporters';
import { GRPC_EXPORTERS } from '@answer-evidence/testing/grpc-exporters';
import type { SplitRole } from '../tools/proxy/routing-table.ts';
import { PROXY_PROGRAMS, type RunningProxy, startProxy } from '../tools/scenery/proxy-program.ts';
import { until } from '../tools/scenery/service-process.ts';
import { PATH_OF_EACH_PROCESS } from '../tools/scenery/split-place.ts';
import { answer, openTestService, type TestService } from '../tools/scenery/test-service.ts';

const DEADLINE_MS = 60_000;
const APPLICATION = 'helpdesk';
/** How many refusals there are, and how many of them at once. */
const REFUSALS = { rounds: 25, atOnce: 20 };

let service: TestService;
let token: string;

beforeAll(async () => {
  service = await openTestService({ environment: { SERVICE_OTLP_GRPC_PORT: '0', SERVICE_TRUSTED_PROXIES: '1' } });
  const body = { kind: 'application', name: 'proxied', application_key: APPLICATION, scopes: ['answer_audit:create'] };
  token = (await service.call('POST', '/api/tokens', { body })).body.token;
}, DEADLINE_MS);
afterAll(() => service.close());

const addressOf = (role: SplitRole) => new URL(service.addressOf(role)).host;

/** Exports one answer by each exporter over gRPC: what came of it, and the traces. */
async function exportTo(endpoint: string, as: string) {
  const outcomes = [];
  const traceIds: string[] = [];
  for (const kind of GRPC_EXPORTERS) {
    const resource = { 'service.name': APPLICATION };
    const exporter = openExporter({ ...kind, endpoint, token: as, isCompressed: true, resource });
    const texts = { 'service.audit.question_text': 'Is it open?', 'service.audit.answer_text': 'It is.' };
    traceIds.push(exporter.record(texts).traceId);
    outcomes.push(...(await exporter.flush()));
    await exporter.close();
  }
  return { outcomes, traceIds };
}

/** The status of one call, which is not repeated. */
function statusOfCall(host: string): Promise<number> {
  const client = new Client(host, credentials.createInsecure());
  const asIs = (bytes: Buffer): Buffer => bytes;
  const path = '/opentelemetry.proto.collector.trace.v1.TraceService/Export';
  return new Promise((resolve) => {
    client.makeUnaryRequest(path, asIs, asIs, Buffer.alloc(0), (error) => {
      client.close();
      resolve(error?.code ?? status.OK);
    });
  });
}

describe.each(PROXY_PROGRAMS)('the service behind $name with the generated configuration', (program) => {
  if (!program.canRun) {
    it.skip('is not installed', () => undefined);
    return;
  }
  let proxy: RunningProxy;

  beforeAll(async () => {
    proxy = await startProxy(program, { addressOf, grpcAddress: `127.0.0.1:${service.grpcPort}` });
  }, DEADLINE_MS);
  afterAll(() => proxy.close(), DEADLINE_MS);

  it('records an answer over HTTP, and has it again', async () => {
    const headers = { Authorization: `Bearer ${service.managerToken}`, 'Content-Type': 'application/json' };
    const body = JSON.stringify(answer('is the shop open?'));
    const created = await fetch(`${proxy.url}/api/answer-audit-logs`, { method: 'POST', headers, body });
    const { id } = (await created.json()) as { id: string };
    expect(created.status).toBe(201);
    const read = await fetch(`${proxy.url}/api/answer-audit-logs/${id}`, { headers });
    expect(await read.json()).toMatchObject({ id, status: 'recorded' });
  });

  it('leads each path to a process that serves it', async () => {
    const headers = { Authorization: `Bearer ${service.managerToken}` };
    for (const path of PATH_OF_EACH_PROCESS)
      expect([path, (await fetch(proxy.url + path, { headers })).status]).toEqual([path, 200]);
  });

  it('leaves a record of what unmodified exporters send over gRPC', async () => {
    const { outcomes, traceIds } = await exportTo(proxy.grpcUrl, token);
    expect(outcomes).toEqual(GRPC_EXPORTERS.map(() => ({ items: 1, error: undefined })));
    for (const traceId of traceIds)
      await until('the record', async () => {
        const { items } = (await service.call('GET', `/api/answer-audit-logs?external_trace_id=${traceId}`)).body;
        return items.length === 1;
      });
  });

  it('passes the refusal of a token on over gRPC', async () => {
    const { outcomes } = await exportTo(proxy.grpcUrl, 'aeu_unknown');
    const found = outcomes.map((outcome: any) => outcome.error?.code);
    expect(found).toEqual(GRPC_EXPORTERS.map(() => status.UNAUTHENTICATED));
    // A proxy that sends headers on before it knows that nothing follows loses one status in 300.
    const { host } = new URL(proxy.grpcUrl);
    const codes = new Set<number>();
    for (let round = 0; round < REFUSALS.rounds; round++)
      for (const code of await Promise.all(Array.from({ length: REFUSALS.atOnce }, () => statusOfCall(host))))
        codes.add(code);
    expect([...codes]).toEqual([status.UNAUTHENTICATED]);
  });

  it('tells exporters over gRPC to come again while the OTLP ingester cannot be reached', async () => {
    const grpcAddress = `127.0.0.1:${await findFreePort()}`;
    const other = await startProxy(program, { addressOf, grpcAddress });
    expect(await statusOfCall(new URL(other.grpcUrl).host)).toBe(status.UNAVAILABLE);
    await other.close();
  });
});
