import { randomUUID } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CreateRecordRequest, labelsOf, type TextOrHash } from '@answer-evidence/contracts';
import { sha256Hex } from '@answer-evidence/digest';

const AT = '2026-11-20T09:00:00.000000Z';
const HASH = `sha256:${'a'.repeat(64)}`;

/** Responds in the place of the service. */
export type Respond = (response: ServerResponse, request: CreateRecordRequest) => void;

/** A service in this process that records what it is sent, and fails as it is told. */
export type FakeService = {
  readonly url: string;
  /** Every create that it was sent, also those that it failed. */
  readonly sent: readonly CreateRecordRequest[];
  /** What is recorded, by idempotency key. */
  readonly records: ReadonlyMap<string, CreateRecordRequest>;
  /** From now on; undefined: as the service does. */
  respond(how: Respond | undefined): void;
  close(): Promise<void>;
};

/** Opens one, on the port given or a free one. */
export async function openFakeService(port = 0): Promise<FakeService> {
  const sent: CreateRecordRequest[] = [];
  const records = new Map<string, CreateRecordRequest>();
  let how: Respond | undefined;
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      const request = JSON.parse(text === '' ? '{}' : text) as CreateRecordRequest;
      sent.push(request);
      if (how !== undefined) return how(response, request);
      const isReplay = records.has(request.idempotency_key ?? '');
      records.set(request.idempotency_key ?? '', request);
      respondJson(response, isReplay ? 200 : 201, recordOf(request));
    });
  });
  await new Promise<void>((resolve) => void server.listen(port, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sent,
    records,
    respond(next) {
      how = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Responds with a problem of the service. */
export function problem(status: number, code: string, headers: Readonly<Record<string, string>> = {}): Respond {
  return (response) => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    const body = { type: `urn:answer-evidence:problem:${code}`, title: code, status, detail: 'It failed.', code };
    respondJson(response, status, { ...body, errors: [], request_id: 'req-1' });
  };
}

/** Responds with a page, as a proxy does. */
export function page(status: number): Respond {
  return (response) => response.writeHead(status, { 'content-type': 'text/html' }).end('<html>a proxy</html>');
}

function respondJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** The entry of a record in what the service responds. */
export function entryOf(id: string): string {
  return JSON.stringify({ at: AT, hash: HASH, id, seq: 0, subject: id, type: 'answer_recorded', v: 1 });
}

/** What the service responds to a create. Its receipt proves nothing. */
export function recordOf(request: CreateRecordRequest) {
  const text = ({ text: shown, hash }: TextOrHash) => {
    const commitment = hash ?? `sha256:${sha256Hex(shown ?? '')}`;
    return { hash: commitment, hash_key_id: null, text: shown ?? null, text_state: 'stored' };
  };
  const id = randomUUID();
  return {
    id,
    application_key: request.application_key,
    environment: request.environment ?? 'production',
    idempotency_key: request.idempotency_key ?? null,
    status: 'recorded',
    semantic_refs: request.semantic_refs ?? [],
    source_refs: request.source_refs ?? [],
    evidence_access_event_ids: request.evidence_access_event_ids ?? [],
    ...labelsOf(request),
    retention_until: AT,
    created_at: AT,
    created_by: { kind: 'application', id: request.application_key, token_id: randomUUID() },
    trace_refs: [],
    record_hash: HASH,
    question: text(request.question),
    answer: text(request.answer),
    erasure: null,
    evidence_links: [],
    ledger: { origin: 'log.example/demo/00000000', leaf_index: 1, leaf_hash: 'b'.repeat(64), entry: entryOf(id) },
    receipt: 'c2sp.org/tlog-proof@v1\n',
    events: [],
  };
}
