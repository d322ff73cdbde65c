import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { createMasterVault, parseMasterKey } from '@answer-evidence/node-crypto';
import {
  readToken,
  runCliCommand,
  runOperatorCommand,
  type ServiceProcess,
  startProcess,
} from '../tools/scenery/service-process.ts';
import { describeWithTools, runPythonVerifier } from './independent-verifier/python-verifier.ts';

const MINUTES_MS = 60_000;
const RECORDS = '/api/answer-audit-logs';

/** Words that occur nowhere by chance. */
const mark = (name: string) => `mark-${name}-${randomBytes(12).toString('hex')}`;
const GONE = {
  correction: mark('correction-reason'),
  corrected: mark('corrected-text'),
  open: mark('correction-payload'),
  voided: mark('void-reason'),
  extension: mark('extension-payload'),
  redaction: mark('redaction-reason'),
  ticket: mark('redaction-payload'),
};
/** The reason of the last redaction, which stays until another one. */
const LAST = mark('last-reason');
const CORRECTION = {
  event_type: 'correction_appended',
  reason: GONE.correction,
  payload: { corrected_answer_text: GONE.corrected, caller: { name: GONE.open } },
};

let dataDir: string;
let service: ServiceProcess;
let baseUrl: string;
let token: string;
let client: pg.Client;
const at = (name: string) => join(dataDir, name);

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'answer-evidence-reasons-'));
  service = startProcess({ dataDir, environment: { SERVICE_LOG_LEVEL: 'debug' } });
  baseUrl = await service.ready;
  token = await readToken(dataDir);
  client = new pg.Client({ connectionString: (await readFile(at('postgres.url'), 'utf8')).trim() });
  await client.connect();
}, MINUTES_MS);
afterAll(async () => {
  await client.end();
  await service.stop();
  await rm(dataDir, { recursive: true, force: true });
}, MINUTES_MS);

async function call(method: string, path: string, body?: object, key?: string) {
  const response = await fetch(`${baseUrl}${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/json',
      ...(key === undefined ? {} : { 'Idempotency-Key': key }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    text,
    body: /json$|json;/.test(response.headers.get('content-type') ?? '') ? JSON.parse(text) : undefined,
  };
}

async function record(): Promise<string> {
  const texts = { question: { text: 'Who called?' }, answer: { text: 'Nobody.' } };
  return (await call('POST', RECORDS, { application_key: 'support-bot', ...texts })).body.id;
}

async function append(id: string, body: object, key?: string): Promise<any> {
  const reply = await call('POST', `${RECORDS}/${id}/events`, body, key);
  if (reply.status !== 200) throw new Error(`${reply.status}: ${reply.text}`);
  return reply.body;
}

/** Every column of every row of every table, and whatever is sealed, opened with the service's own keys. */
async function readEverything(): Promise<string> {
  const { rows: tables } = await client.query<{ xml: string }>(
    `select schema_to_xml('answer_evidence', true, true, '')::text
         || schema_to_xml('answer_evidence_parts', true, true, '')::text as xml`,
  );
  const master = createMasterVault(parseMasterKey((await readFile(at('master.key'), 'utf8')).trim()));
  const { rows: workspaces } = await client.query('select * from answer_evidence.workspaces');
  const { rows: sealed } = await client.query('select * from answer_evidence.sealed_contents');
  const opened = sealed.flatMap((row) => {
    const workspace = workspaces.find(({ id }) => id === row.workspace_id);
    const vault = master.openWorkspace(workspace.id, workspace.wrapped_key, workspace.wrapped_ledger_seed);
    const key = vault.openObjectKey(row.object_id, row.wrapped_key);
    if (key.isWhole) return [key.open('whole', row.items)];
    return ['texts', 'items'].flatMap((field) => (row[field] === null ? [] : [key.open(field, row[field])]));
  });
  return [tables[0]?.xml, ...opened].join('\n');
}

const found = (text: string) => Object.entries(GONE).flatMap(([name, word]) => (text.includes(word) ? [name] : []));

async function verify(bundle: string): Promise<Record<string, string>> {
  const argv = ['--output', 'json', 'verify', at(bundle), '--trust', at('trust.json')];
  const { code, stdout } = await runCliCommand(argv, { dataDir });
  expect(code).toBe(0);
  const { checks } = JSON.parse(stdout);
  return Object.fromEntries(checks.map((each: any) => [each.check, each.outcome]));
}

describe('what managers wrote into the events of a record that was redacted', () => {
  let id: string;
  let ids: readonly string[];

  beforeAll(async () => {
    id = await record();
    await append(id, CORRECTION, 'correction');
    await append(id, { event_type: 'retention_extended', payload: { note: GONE.extension } });
    await append(id, { event_type: 'voided', reason: GONE.voided });
    // So that the search is known to find what is there.
    expect(found(await readEverything()).sort()).toEqual(['corrected', 'correction', 'extension', 'open', 'voided']);
    await runCliCommand(['trust', 'export', '--out', at('trust.json')], { dataDir });
    await runCliCommand(['trust', 'proof', id, '--out', at('before.json')], { dataDir });
    await append(id, {
      event_type: 'redacted',
      reason: GONE.redaction,
      payload: { reason_code: 'privacy', ticket: GONE.ticket },
    });
    expect(found(await readEverything()).sort()).toEqual(['redaction', 'ticket']);
    const named = (await call('GET', `${RECORDS}/${id}`)).body.events[3].id.toUpperCase();
    const { events } = await append(id, {
      event_type: 'redacted',
      reason: LAST,
      payload: { redact_event_ids: [named] },
    });
    ids = events.map((event: any) => event.id);
    await runCliCommand(['trust', 'proof', id, '--out', at('after.json')], { dataDir });
  }, 2 * MINUTES_MS);

  it('is in no column of any table, sealed or not', async () => {
    const everything = await readEverything();
    expect(found(everything)).toEqual([]);
    expect(everything).toContain(LAST);
  });

  it('is in no reply: a read, a replay, a list, a proof, an export', async () => {
    const replayed = await call('POST', `${RECORDS}/${id}/events`, CORRECTION, 'correction');
    expect(replayed.status).toBe(200);
    const { body: shown, text } = await call('GET', `${RECORDS}/${id}`);
    const lines = await call('GET', `${RECORDS}/export?format=jsonl`);
    const csv = await call('GET', `${RECORDS}/export?format=csv`);
    const others = await Promise.all(
      [RECORDS, `${RECORDS}/${id}/ledger/verify`, `/api/trust/proofs/answers/${id}`].map((path) => call('GET', path)),
    );
    for (const reply of [replayed, lines, csv, ...others]) expect([reply.status, found(reply.text)]).toEqual([200, []]);
    expect(found(text)).toEqual([]);
    const [, , , first, last] = shown.events;
    const grave = { event_id: first.id, reason_code: 'privacy', redacted_at: first.created_at };
    const later = { event_id: last.id, reason_code: null, redacted_at: last.created_at };
    const graves = (events: any[]) =>
      events.map((each) => [each.reason, each.reason_tombstone, each.payload_tombstone]);
    const expected = [
      [null, grave, grave],
      [null, undefined, grave],
      [null, grave, undefined],
      [null, later, later],
      [LAST, undefined, undefined],
    ];
    expect(graves(shown.events)).toEqual(expected);
    expect(first.payload).toEqual({ reason_code: 'privacy', redact_event_ids: ids.slice(0, 3) });
    expect(last.payload).toEqual({ redact_event_ids: [ids[3]] });
    const exported = lines.text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line));
    for (const body of [replayed.body, exported.find((each) => each.id === id)])
      expect(graves(body.events)).toEqual(expected);
    expect(csv.text).toContain(JSON.stringify(grave).replaceAll('"', '""'));
  });

  it('is in no log line, and the command line says that it was erased', async () => {
    const { stdout, stderr } = await runCliCommand(['records', 'get', id], { dataDir });
    expect(stdout.match(/\(erased(: privacy)?\)/g)).toEqual(['(erased: privacy)', '(erased: privacy)', '(erased)']);
    const logged = [...service.stdout, ...service.stderr].join('\n');
    expect(logged).toContain('"status":200');
    expect(found([stdout, stderr, logged].join('\n'))).toEqual([]);
  });

  it(
    'breaks no proof: bundles from before and after verify, and the ledger check passes',
    async () => {
      expect(found(await readFile(at('before.json'), 'utf8'))).toContain('voided');
      expect(await verify('before.json')).toMatchObject({ event_chain: 'PASS', corrections: 'PASS' });
      const after = await readFile(at('after.json'), 'utf8');
      expect(found(after)).toEqual([]);
      expect(JSON.parse(after).events.map(({ disclosed }: any) => disclosed.reason?.item)).toEqual([
        ...[undefined, undefined, undefined, undefined],
        LAST,
      ]);
      expect(await verify('after.json')).toMatchObject({ event_chain: 'PASS', corrections: 'NA' });
      const { code, stdout } = await runOperatorCommand(['ledger-check'], { dataDir });
      expect([code, stdout]).toEqual([0, expect.stringMatching(/^demo: PASS/)]);
    },
    MINUTES_MS,
  );

  describeWithTools('for a verifier that shares nothing with ours', () => {
    it.each(['before.json', 'after.json'])('verifies in %s', (name) => {
      const { status, stdout } = runPythonVerifier(['bundle', at(name), at('trust.json')]);
      expect([status, stdout]).toEqual([0, expect.stringMatching(/PASS +event_chain/)]);
    });
  });
});

describe('a redaction that names an event which it cannot erase', () => {
  it('is refused with the place of the id, and erases nothing', async () => {
    const other = await append(await record(), { event_type: 'voided', reason: 'of another record' });
    const id = await record();
    const before = await append(id, { event_type: 'voided', reason: LAST });
    for (const unknown of [other.events[0].id, id, '018F0000-0000-7000-8000-0000000000AB']) {
      const payload = { redact_event_ids: [before.events[0].id, unknown] };
      const { status, body } = await call('POST', `${RECORDS}/${id}/events`, { event_type: 'redacted', payload });
      expect([status, body.code, body.errors.map((each: any) => each.pointer)]).toEqual([
        422,
        'event_not_found',
        ['/payload/redact_event_ids/1'],
      ]);
    }
    expect((await call('GET', `${RECORDS}/${id}`)).body).toMatchObject({ status: 'voided', events: before.events });
  });

  it('is refused when it names itself: its key replays what it was, under other names it conflicts', async () => {
    const id = await record();
    const { events } = await append(id, { event_type: 'redacted', reason: LAST }, 'itself');
    const payload = { redact_event_ids: [events[0].id] };
    const again = await call(
      'POST',
      `${RECORDS}/${id}/events`,
      { event_type: 'redacted', reason: LAST, payload },
      'itself',
    );
    expect([again.status, again.body.code]).toEqual([409, 'idempotency_payload_mismatch']);
    expect((await call('GET', `${RECORDS}/${id}`)).body.events).toMatchObject([{ reason: LAST }]);
  });
});
