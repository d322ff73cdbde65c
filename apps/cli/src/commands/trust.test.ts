import { createHash } from 'node:crypto';
import { trustFile } from '@answer-evidence/contracts';
import { describe, expect, it } from '@jest/globals';
import { runTranscript } from '../testing/run-transcript.ts';
import { ID } from '../testing/samples.ts';
import { createSignedBundle } from '../testing/signed-bundle.ts';

const VKEY = 'log.example/demo/00000000+11223344+AXl5eXl5';
const keys = {
  origin: 'log.example/demo/00000000',
  items: [{ vkey: VKEY, first_tree_size: 0, last_tree_size: null, purpose: 'checkpoint', state: 'active' }],
};
const routes = { 'GET /api/trust/keys': { body: keys } };
const fingerprint = (createHash('sha256').update(VKEY).digest('hex').match(/.{4}/g) ?? []).join(' ');

describe('trust export', () => {
  it('writes a trust file, shows the fingerprints, and says to compare them', async () => {
    const { files, stdout, stderr, exitCode } = await runTranscript(['trust', 'export', '--out', '/t.json'], routes);
    expect(exitCode).toBe(0);
    expect(trustFile.parse(JSON.parse(files.get('/t.json') ?? ''))).toMatchObject({
      logs: [{ origin: keys.origin, keys: [{ vkey: VKEY, first_tree_size: 0, last_tree_size: null }] }],
    });
    expect(stdout).toContain(fingerprint);
    expect(stderr).toContain('over another channel');
  });

  it('needs a file to write to', async () => {
    expect(await runTranscript(['trust', 'export'], routes)).toMatchObject({ exitCode: 2, seen: [] });
  });
});

describe('trust keys', () => {
  it('shows each key with its fingerprint', async () => {
    const { stdout } = await runTranscript(['trust', 'keys', '--output', 'json'], routes);
    expect(JSON.parse(stdout)).toEqual({ ...keys, items: [{ ...keys.items[0], fingerprint }] });
  });
});

describe('trust proof', () => {
  it('keeps the whole bundle, in a file or on standard output', async () => {
    const { bundle } = createSignedBundle();
    const proof = { [`GET /api/trust/proofs/answers/${ID}`]: { body: bundle } };
    const { files, stdout } = await runTranscript(['trust', 'proof', ID, '--out', '/b.json'], proof);
    expect(stdout).toBe('');
    expect(JSON.parse(files.get('/b.json') ?? '')).toEqual(bundle);
    expect(JSON.parse((await runTranscript(['trust', 'proof', ID], proof)).stdout)).toEqual(bundle);
  });

  it('ends with 1 when the service has no proof', async () => {
    expect(await runTranscript(['trust', 'proof', ID, '--out', '/b.json'])).toMatchObject({ exitCode: 1, stdout: '' });
  });
});

describe('ledger check', () => {
  const report = {
    origin: keys.origin,
    tree_size: 42,
    root_hash: 'ab',
    entries_checked: 42,
    outcome: 'PASS',
    findings_total: 0,
    findings: [],
  };

  it('ends with 0 when everything was re-derived', async () => {
    const transcript = await runTranscript(['ledger', 'check'], { 'POST /api/trust/ledger-checks': { body: report } });
    expect(transcript).toMatchObject({ exitCode: 0, stderr: '' });
  });

  it('shows every finding and ends with 1', async () => {
    const finding = { check: 'record_hash', object: `record ${ID}`, leaf_index: 7, detail: 'the core was altered' };
    const body = { ...report, outcome: 'FAIL', findings_total: 1, findings: [finding] };
    const transcript = await runTranscript(['ledger', 'check'], { 'POST /api/trust/ledger-checks': { body } });
    expect(transcript.exitCode).toBe(1);
    expect(transcript.stdout).toMatch(/record_hash +record 0199\S+ +7 +the core was altered/);
  });
});
