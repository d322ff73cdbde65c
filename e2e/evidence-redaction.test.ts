import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import {
  readToken,
  runCliCommand,
  type ServiceProcess,
  startProcess,
  until,
} from '../tools/scenery/service-process.ts';
import { openReadyData } from './support/ready-data.ts';

const MINUTES_MS = 60_000;
const FAQ = ['How long is the warranty? Two years.', 'Whose heart is it? That of Jane Doe.', 'Call us.'].join('\n\n');

let dataDir: string;
let service: ServiceProcess;
let baseUrl: string;
let call: (method: string, path: string, body?: object) => Promise<{ status: number; body: any }>;

async function start(): Promise<void> {
  service = startProcess({ dataDir });
  baseUrl = await service.ready;
  const token = await readToken(dataDir);
  call = async (method, path, body) => {
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') === true;
    return { status: response.status, body: isJson ? JSON.parse(text) : text };
  };
}

beforeAll(async () => {
  dataDir = await openReadyData('redaction');
  await start();
}, MINUTES_MS);
afterAll(async () => {
  await service.stop();
  await rm(dataDir, { recursive: true, force: true });
});

/** Uploads the text by the command line. */
async function upload(text: string): Promise<string> {
  const file = join(dataDir, 'faq.txt');
  await writeFile(file, text);
  const { code, stdout, stderr } = await runCliCommand(
    [
      'evidence',
      'upload',
      file,
      '--registry',
      baseUrl,
      '--application',
      'support-bot',
      '--content-type',
      'text/plain',
      '--output',
      'json',
    ],
    { dataDir },
  );
  if (code !== 0) throw new Error(stderr);
  return (JSON.parse(stdout) as { id: string }).id;
}

/** Retrieves one segment of an asset, or all, and records an answer that binds it. */
async function answer(assetId: string, index?: number): Promise<{ id: string; sourceRefId: string }> {
  const all = await call('POST', `/api/evidence-assets/${assetId}/retrieve`, { purpose: 'to look' });
  const body = index === undefined ? {} : { segment_ids: [all.body.segments[index].segment_id] };
  const retrieved = await call('POST', `/api/evidence-assets/${assetId}/retrieve`, { ...body, purpose: 'to answer' });
  const record = await call('POST', '/api/answer-audit-logs', {
    application_key: 'support-bot',
    question: { text: 'Why?' },
    answer: { text: 'Because.' },
    source_refs: [retrieved.body.source_ref],
    evidence_access_event_ids: [retrieved.body.access_event_id],
  });
  expect(record.status).toBe(201);
  return { id: record.body.id, sourceRefId: retrieved.body.source_ref.source_ref_id };
}

function redact(recordId: string, sourceRefId: string) {
  return call('POST', `/api/answer-audit-logs/${recordId}/events`, {
    event_type: 'redacted',
    payload: { reason_code: 'privacy', redact_source_ref_ids: [sourceRefId] },
  });
}

async function objects(): Promise<readonly string[]> {
  const entries = await readdir(join(dataDir, 'objects'), { withFileTypes: true, recursive: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
}

async function query(text: string, values: readonly unknown[]): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: (await readFile(join(dataDir, 'postgres.url'), 'utf8')).trim() });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text, [...values])).rows;
  } finally {
    await client.end();
  }
}

/** The outcomes of the command line's offline verification of a bundle, by check. */
async function verifyOffline(bundle: unknown): Promise<Record<string, string>> {
  const [bundleFile, trustFile] = [join(dataDir, 'bundle.json'), join(dataDir, 'trust.json')];
  await writeFile(bundleFile, JSON.stringify(bundle));
  await runCliCommand(['trust', 'export', '--out', trustFile, '--registry', baseUrl], { dataDir });
  const args = ['verify', bundleFile, '--trust', trustFile, '--output', 'json'];
  const { stdout } = await runCliCommand(args, { dataDir });
  const { checks } = JSON.parse(stdout) as { checks: { check: string; outcome: string }[] };
  return Object.fromEntries(checks.map(({ check, outcome }) => [check, outcome]));
}

const bundleOf = async (recordId: string): Promise<any> =>
  (await call('GET', `/api/trust/proofs/answers/${recordId}`)).body;

const erased = async (assetId: string): Promise<boolean> =>
  (await call('GET', `/api/evidence-assets/${assetId}`)).body.original_deleted_at !== null;

describe('a redaction of evidence', () => {
  it(
    'takes a passage and the original, keeps the other passages, and leaves every earlier proof good',
    async () => {
      const assetId = await upload(FAQ);
      const before = await objects();
      expect(before).toHaveLength(1);
      const { id, sourceRefId } = await answer(assetId, 1);
      const earlier = await bundleOf(id);
      const { status, body } = await redact(id, sourceRefId);
      expect(status).toBe(200);
      expect(body.events.at(-1).redacted_evidence).toMatchObject([{ asset_id: assetId, also_held_by: [] }]);

      const { body: left } = await call('POST', `/api/evidence-assets/${assetId}/retrieve`, {});
      expect(left.segments.map((segment: any) => segment.text ?? segment.tombstone.reason_code)).toEqual([
        'How long is the warranty? Two years.',
        'privacy',
        'Call us.',
      ]);
      expect((await call('POST', `/api/evidence-assets/${assetId}/download`, {})).status).toBe(410);
      await until('the bytes are deleted', () => erased(assetId));
      expect(await objects()).toEqual([]);
      for (const table of ['evidence_contents', 'evidence_originals'])
        expect(await query(`select 1 from answer_evidence.${table}`, [])).toEqual([]);
      expect(
        await query(
          'select segment_index from answer_evidence.evidence_segment_contents where asset_id = $1 order by 1',
          [assetId],
        ),
      ).toEqual([{ segment_index: 0 }, { segment_index: 2 }]);

      const later = await bundleOf(id);
      expect(later.evidence.assets[0].erasures).toMatchObject([{ core: { asset_id: assetId, segments: [1] } }]);
      expect(JSON.stringify([earlier, later])).not.toContain('Jane Doe');
      for (const bundle of [earlier, later]) {
        const outcomes = await verifyOffline(bundle);
        expect(outcomes).toMatchObject({ evidence_binding: 'PASS', merkle_inclusion: 'PASS' });
        expect(Object.values(outcomes)).not.toContain('FAIL');
      }
      const { body: verified } = await call('GET', `/api/answer-audit-logs/${id}/ledger/verify`);
      expect(verified.checks.filter((check: any) => check.outcome === 'FAIL')).toEqual([]);
    },
    5 * MINUTES_MS,
  );

  it(
    'is finished after kill -9, and an upload of the same bytes brings nothing back',
    async () => {
      const assetId = await upload('a secret of one paragraph');
      const { id, sourceRefId } = await answer(assetId);
      expect((await redact(id, sourceRefId)).status).toBe(200);
      service.kill('SIGKILL');
      await service.exited;
      await start();
      await until('the bytes are deleted', () => erased(assetId), 120_000);
      expect(await objects()).toEqual([]);

      const again = await upload('a secret of one paragraph');
      expect(again).not.toBe(assetId);
      expect((await call('GET', `/api/evidence-assets/${again}`)).body).toMatchObject({ state: 'available' });
      expect((await call('POST', `/api/evidence-assets/${assetId}/download`, {})).status).toBe(410);
      const { body } = await call('POST', `/api/evidence-assets/${assetId}/retrieve`, {});
      expect(body.segments).toMatchObject([{ tombstone: { reason_code: 'privacy' } }]);
      expect(await objects()).toHaveLength(1);
    },
    5 * MINUTES_MS,
  );
});
